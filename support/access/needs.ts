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
   * What it arranges by itself, in words: `hundreds of orders`. It runs after the other scenarios, which would read long lists, or
   * compare stock to which the store adds what the cancelled orders held.
   */
  readonly arranges?: string
  /**
   * It is the first to change what it changes, so that its own rules see what a faulty store changes besides.
   */
  readonly leads?: boolean
  /** It runs after all others, because it looks at what they left. */
  readonly atTheEnd?: true
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

/** Others wait for it, or it is the longest sequence of requests of the run. */
export const isUrgent = ({ leads = false, changes }: Needs): boolean =>
  leads || changes === 'orders and stock'
