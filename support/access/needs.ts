/** What a scenario needs of the store. */
export interface Needs {
  readonly pendingOrders?: number
  readonly shippedOrders?: number
  readonly pets?: number
  /** It arranges hundreds of orders, so it runs after the others: they would all read lists of that length. */
  readonly crowd?: boolean
  /** What it changes, where the other needs do not tell. Default: orders if it takes pending ones, else stock if it takes pets. */
  readonly changes?: 'orders' | 'stock' | 'orders and stock'
}

/** A scenario or property, as the engine hands it over. */
export interface NeedyScenario {
  readonly title: string
  readonly needs: unknown
}

/** The scenarios in `suites/` are written with `Needs`, which the engine does not look into. */
export const needsOf = ({ needs }: NeedyScenario): Needs => needs as Needs
