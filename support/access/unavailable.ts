/**
 * A condition that could not be arranged, or a request that was not allowed: nothing that the store did.
 * `need` says what the person who runs the suite can provide, as an instruction ("name one more pending order").
 */
export class NotArranged extends Error {
  readonly need: string

  constructor(message: string, need: string) {
    super(message)
    this.name = 'NotArranged'
    this.need = need
  }
}

/** What is asked for does not exist for this target (only a chosen id could show it, and ids can't be chosen). */
export class NotApplicable extends Error {
  override name = 'NotApplicable'
}

/** The run was stopped, or has stopped itself, before this could be sent. */
export class Stopped extends Error {
  override name = 'Stopped'
}

/** Something that the suite was given does not work as agreed: configuration, states endpoint, module. Exit 2. */
export class Misconfigured extends Error {
  override name = 'Misconfigured'
}
