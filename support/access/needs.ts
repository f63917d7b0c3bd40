/** What a scenario needs of the store. */
export interface Needs {
  readonly pendingOrders?: number
  /** Further pending orders, only where they can be arranged. */
  readonly extraOrders?: number
  readonly shippedOrders?: number
  readonly pets?: number
  /** Further pets, only where they can be arranged. */
  readonly extraPets?: number
  /**
   * What it arranges by itself, in words: `hundreds of orders`. It runs after the other scenarios, because it makes lists long, and
   * because a store may add the quantity of its cancelled orders to a stock that they compare.
   */
  readonly arranges?: string
  /**
   * It changes orders or stock before other scenarios do, so that its own rules detect what a faulty store changes in addition.
   */
  readonly leads?: boolean
  /** It runs after all others, because it checks what they left. */
  readonly atTheEnd?: true
  /** It sends requests that do not announce the suite. An ordinary run leaves it out. */
  readonly unannounced?: true
  /** What it changes, where the other needs do not tell. Default: orders if it takes pending ones, else stock if it takes pets. */
  readonly changes?: 'orders' | 'stock' | 'orders and stock'
}

/** A scenario or property, as the engine hands it over. */
export interface NeedyScenario {
  readonly title: string
  readonly needs: unknown
}

/** The scenarios in `suites/` declare `Needs`, which the engine passes on unread. */
export const needsOf = ({ needs }: NeedyScenario): Needs => needs as Needs

/** Whether other scenarios wait for it, or it has the longest sequence of requests. */
export const isUrgent = ({ leads = false, changes }: Needs): boolean =>
  leads || changes === 'orders and stock'
