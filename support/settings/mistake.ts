/** A mistake in the configuration: which setting, what is wrong, what to do. It never contains a secret. */
export interface Mistake {
  readonly setting: string
  readonly problem: string
}

/** The configuration is invalid. Nothing was sent. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError'
  readonly mistakes: readonly Mistake[]

  constructor(mistakes: readonly Mistake[]) {
    super(mistakes.map(({ setting, problem }) => `${setting}: ${problem}`).join('\n'))
    this.mistakes = mistakes
  }
}
