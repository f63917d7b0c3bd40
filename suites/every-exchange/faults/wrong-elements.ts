import type { Fault, Operation } from '../../../support/reference/authoring.ts'

/** A list whose elements have a quantity. */
interface ListOf {
  readonly operation: Operation
  /** Begins the ids of the faults. */
  readonly id: string
  /** One element, for titles. */
  readonly element: string
  readonly breaks: string
  /** The list is long if it has more elements than this, as only a provider state arranges them. */
  readonly long: number
}

const quantityAsString = (element: string): string =>
  element.replace(/"quantity":([0-9]+)/, '"quantity":"$1"')

const places: Readonly<Record<string, (length: number) => number>> = {
  first: () => 0,
  middle: length => Math.floor(length / 2),
  last: length => length - 1,
}

/** The list from which on an element is wrong. */
const LATER = 10

/** One element of a list has a wrong quantity: in one place of a long list, or only late in the run. */
export const wrongElements = ({ operation, id, element, breaks, long }: ListOf): readonly Fault[] => [
  ...Object.entries(places).map(
    ([place, at]): Fault => ({
      id: `${id}-${place}-wrong`,
      title: `The quantity of the ${place} ${element} in a long list is a string`,
      breaks: [breaks],
      outOfReachWhenNamed: 'named orders and pets do not make a long list',
      override: base => ({
        renderArray: (items, ctx) =>
          base.renderArray(
            ctx.operation === operation && items.length > long
              ? items.map((item, index) => (index === at(items.length) ? quantityAsString(item) : item))
              : items,
            ctx,
          ),
      }),
    }),
  ),
  {
    id: `${id}-wrong-later`,
    title: `The quantity of the third ${element} is a string from the tenth list on`,
    breaks: [breaks],
    override: base => {
      let lists = 0
      return {
        renderArray: (items, ctx) => {
          if (ctx.operation !== operation) return base.renderArray(items, ctx)
          lists += 1
          return base.renderArray(
            lists < LATER ? items : items.map((item, at) => (at === 2 ? quantityAsString(item) : item)),
            ctx,
          )
        },
      }
    },
  },
]
