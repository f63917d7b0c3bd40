import { shellWord } from '../http/curl.ts'
import type { Report, ReportedRule } from './report.ts'

/** The command that judges this rule again, on the same store and with the same generated values. */
export const commandFor = (report: Report, { id }: Pick<ReportedRule, 'id'>): string =>
  `${report.command ?? plainCommand(report)} --only ${id} --seed ${report.seed}`

/** For a run that a program started. Contains the address, because a command without one judges the reference store. */
const plainCommand = ({ target }: Report): string =>
  target.reference
    ? 'npx store-conformance run'
    : `npx store-conformance run --base-url ${shellWord(target.baseUrl)}`
