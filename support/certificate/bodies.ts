import { createHash } from 'node:crypto'

export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

/** Stores each different body once. */
export function bodyStore(): {
  readonly bodies: ReadonlyMap<string, Uint8Array>
  add(bytes: Uint8Array): string
} {
  const bodies = new Map<string, Uint8Array>()
  return {
    bodies,
    add(bytes) {
      const digest = sha256(bytes)
      if (!bodies.has(digest)) bodies.set(digest, bytes)
      return digest
    },
  }
}
