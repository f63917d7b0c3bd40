import { isDeepStrictEqual } from 'node:util'

/** A certificate is invalid or inconsistent: where, and why. */
export class Refused extends Error {
  override name = 'Refused'
  /** The file, the place in it, or the rule. */
  readonly place: string

  constructor(place: string, problem: string) {
    super(problem)
    this.place = place
  }
}

/** The result, or why it is refused. */
export const orRefused = <Result>(promise: Promise<Result>): Promise<Result | Refused> =>
  promise.catch(error => {
    if (error instanceof Refused) return error
    throw error
  })

/** Why this version of the suite cannot check a certificate. The certificate may be valid. */
export class NotCheckable extends Error {
  override name = 'NotCheckable'
}

/** @throws {Refused} if there is no such file */
export function fileCalled(files: ReadonlyMap<string, Uint8Array>, name: string): Uint8Array {
  const bytes = files.get(name)
  if (bytes) return bytes
  throw new Refused(name, 'is missing')
}

/**
 * Each member of `is` has to be in a file.
 * @param place of these members in the file
 * @throws {Refused} with the first member that differs
 */
export function expectMembers(place: string, has: object, is: object): void {
  for (const [name, wanted] of Object.entries(is)) {
    const given = (has as Record<string, unknown>)[name]
    if (isDeepStrictEqual(given, wanted)) continue
    const [said, follows] = [given, wanted].map(each => brief(JSON.stringify(each)))
    throw new Refused(`${place}${name}`, `is ${said}, and ${follows} by the rest of the certificate`)
  }
}

export const brief = (text = 'nothing'): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text)
