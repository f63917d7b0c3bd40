import {
  CantTell,
  type Exchange,
  mayHave,
  NotApplicable,
  quantityIn,
  rule,
  scenario,
  Violation,
} from '../../support/authoring/index.ts'
import { oneAfterAnother } from '../model/scenarios.ts'
import { inventory } from '../model/steps.ts'
import { refused } from './refusals.ts'

/** What an earlier scenario left as the stock of an arranged pet. The stock of a named pet is restored before the end. */
interface Left {
  readonly pet: string
  readonly quantity: bigint
  /** The last exchange that shows it. */
  readonly answer: Exchange
}

const stockAtTheEnd = scenario(
  'list the stock of updated pets at the end of the run',
  { turn: 'end' },
  async ({ store, seenBy }) => {
    const seen = { updated: await seenBy(oneAfterAnother), refused: await seenBy(refused) }
    const step = 'at the end of the run'
    const [orders, list] = await Promise.all([store.listOrders({ step }), store.listInventory({ step })])
    return { ...seen, orders, list }
  },
)

/**
 * @throws {Violation} if a pet has less than was left. More may come from a cancelled order, which §3 leaves open.
 * @throws {NotApplicable} if an order may have taken it, which §3 leaves open as well
 */
function expectKept(left: readonly Left[], list: Exchange, orders: Exchange): void {
  if (left.length === 0)
    throw new NotApplicable('it needs pets that are arranged for the run, because named ones are restored')
  for (const { pet, quantity, answer } of left) {
    const last = quantityIn(list, pet)
    if (last >= quantity) continue
    if (mayHave(orders, 'petId', pet))
      throw new NotApplicable(
        `the stock of pet ${pet} is lower, and an order for it may have taken the difference`,
      )
    throw new Violation(`a stock of ${quantity} of pet ${pet}, as before`, String(last), answer, list)
  }
}

const given = { operation: 'updateInventory', level: 'implied', given: stockAtTheEnd } as const

export const rules = [
  rule({
    ...given,
    id: 'update-stays-set',
    because: '§4.4 replaces the stock, and shows nothing that lowers it but another update.',
    clause: '4.4/replaces',
    title: 'The quantity that updateInventory set is still there at the end of the run',
    after: ['update-listed', 'list-inventory-agrees-after-anything'],
    expect({ updated, list, orders }) {
      if (!updated) throw new CantTell('no stock was updated during the run')
      const { histories, repeated, arranged } = updated
      if (repeated.length > 0)
        throw new CantTell('pets were updated again, to find the cause of another failure')
      const answer = histories[0]?.events.findLast(({ step }) => step === inventory)?.exchange
      const left = answer
        ? arranged.map((pet): Left => ({ pet, quantity: quantityIn(answer, pet), answer }))
        : []
      expectKept(left, list, orders)
    },
    usually: 'A later job or a stale copy writes the old quantity again.',
  }),
  rule({
    ...given,
    id: 'update-refused-stays-refused',
    because: '§4.4 answers 400 for an invalid update. It follows that the update is not made later either.',
    clause: '4.4/400',
    title: 'An update that was answered 400 is not made until the end of the run',
    after: 'update-400-no-effect',
    expect(seen) {
      if (!seen.refused) throw new CantTell('no invalid update was sent during the run')
      const { tried } = seen.refused
      const isRefused = ({ answer }: (typeof tried)[number]) => answer.at(-1)?.response?.status === 400
      const left = tried.flatMap(({ pet, answer, after, isArranged }): Left[] => {
        const last = answer.at(-1)
        const isUnchanged = tried.filter(each => each.pet === pet).every(isRefused)
        return last && isArranged && isUnchanged
          ? [{ pet, quantity: quantityIn(after, pet), answer: last }]
          : []
      })
      expectKept(left, seen.list, seen.orders)
    },
    usually: 'The update is queued before the body is validated.',
  }),
]
