/** A certificate is not what it says. The message begins with the file and the place in it. */
export class Refused extends Error {}

/** This version of the suite cannot judge a certificate, which may be valid. */
export class NotCheckable extends Error {}

/** JSON for people. */
export const ownJson = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`

/**
 * Reads JSON that the suite has written. In another spelling, with a member twice or a number that is not exact, programs could read
 * something else than what is judged here.
 * @param write makes the text again
 * @throws {Refused}
 */
export function readOwnJson<Value>(
  bytes: Uint8Array,
  name: string,
  write: (value: Value) => string = ownJson,
): Value {
  try {
    const value: Value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
    if (Buffer.from(write(value)).equals(bytes)) return value
  } catch {
    // The same as another spelling.
  }
  throw new Refused(`${name} is not JSON as the suite writes it`)
}
