import type { styleText } from 'node:util'

export type Format = Parameters<typeof styleText>[0]
export type Paint = (format: Format, text: string) => string
