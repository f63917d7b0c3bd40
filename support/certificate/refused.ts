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

/** Why this version of the suite cannot check a certificate. The certificate may be valid. */
export class NotCheckable extends Error {
  override name = 'NotCheckable'
}
