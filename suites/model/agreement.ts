import {
  CantTell,
  canonical,
  control,
  type Exchange,
  expectListed,
  expectRefused,
  expectStatus,
  find,
  numberOf,
  quantityIn,
  rule,
  Violation,
} from '../../support/authoring/index.ts'
import { SHIPPED, type Step, type Walked, walks } from './scenarios.ts'

type OrderState = 'pending' | 'shipped' | 'cancelled'

/** Follows the states of the orders (§3) step by step. */
function followOrders({ orders, listed, steps }: Walked): void {
  control(listed, 200, 'the list before the walk')
  const states = orders.map((_, at): OrderState => (at === SHIPPED ? 'shipped' : 'pending'))
  for (const { step, exchange } of steps) {
    if (step[0] === 'cancel') {
      const state = states[step[1]]
      if (state === 'shipped') expectStatus(exchange, 409)
      else if (state === 'cancelled') expectRefused(exchange)
      else expectStatus(exchange, 204)
      if (state === 'pending') states[step[1]] = 'cancelled'
    }
    if (step[0] === 'list orders') {
      expectStatus(exchange, 200)
      // Whether a cancelled order stays listed is not shown.
      expectListed(
        exchange,
        'id',
        orders.filter((_, at) => states[at] !== 'cancelled'),
      )
    }
  }
}

/** Follows the stock (§4.4) step by step: it is the quantity that was sent last. */
function followStock({ orders, otherOrders, pets, listed, stocked, steps }: Walked): void {
  const stock = pets.map(pet => quantityIn(stocked, pet))
  const isFor = (order: string, pet: string): boolean => {
    const entry = find(listed, 'id', order)
    const petId = entry && numberOf(entry, 'petId')
    return petId === undefined || petId === canonical(pet)
  }
  const shared = pets.map(pet => otherOrders.some(order => isFor(order, pet)))
  // Whether a cancellation returns the quantity to the stock is not shown, so that stock is open until its next update.
  const open = pets.map(() => false)
  for (const { step, exchange } of steps) {
    if (step[0] === 'cancel') {
      pets.forEach((pet, at) => {
        if (isFor(orders[step[1]] ?? '', pet)) open[at] = true
      })
    }
    if (step[0] === 'update') {
      expectStatus(exchange, 200)
      stock[step[1]] = BigInt(step[2])
      open[step[1]] = false
    }
    if (step[0] === 'list inventory')
      expectStock(
        exchange,
        pets,
        stock,
        open.map((each, at) => each || shared[at] === true),
      )
  }
}

function expectStock(
  list: Exchange,
  pets: readonly string[],
  stock: readonly bigint[],
  open: readonly boolean[],
): void {
  control(list, 200, 'the inventory')
  pets.forEach((pet, at) => {
    if (open[at]) return
    const is = quantityIn(list, pet)
    if (is !== stock[at]) throw new Violation(`a stock of ${stock[at]} of pet ${at}`, String(is), list)
    const entry = find(list, 'petId', pet)
    const label = is === 0n ? 'sold' : 'available'
    if (entry?.['status'] !== label) {
      throw new Violation(`pet ${at} ${label} at quantity ${is}`, String(entry?.['status']), list)
    }
  })
}

/** Adds to a violation the step at which it occurred, and the exchanges up to it. */
function stepwise(follow: (walked: Walked) => void): (walked: Walked) => void {
  return walked => {
    for (let length = 1; length <= walked.steps.length; length += 1) {
      try {
        follow({ ...walked, steps: walked.steps.slice(0, length) })
      } catch (error) {
        if (!(error instanceof Violation)) throw error
        const path = walked.steps.slice(0, length).map(({ exchange }) => exchange)
        throw new Violation(
          error.expected,
          `${error.actual} at step ${length} (${name(walked.steps[length - 1]?.step)})`,
          ...path,
        )
      }
    }
  }
}

function name(step: Step | undefined): string {
  if (step === undefined) throw new CantTell('the walk has no steps')
  return step.join(' ')
}

export const rules = [
  rule({
    id: 'walk-orders-agree',
    level: 'implied',
    because: '§3 states the effect of each step. The effect of a sequence of steps follows.',
    clause: '3/pending',
    operation: 'cancelOrder',
    title: 'In any sequence of requests, cancelOrder and listOrders agree with the order states of §3',
    given: walks,
    after: [
      'cancel-race-once',
      'cancel-shipped-unchanged',
      'list-orders-exact-ids',
      'list-orders-pending-listed',
    ],
    expect: stepwise(followOrders),
    usually: 'Orders share state: a cache, a last-used record, a counter.',
  }),
  rule({
    id: 'walk-stock-agrees',
    level: 'implied',
    because: '§4.4 states the effect of each update. The effect of a sequence of updates follows.',
    clause: '4.4/replaces',
    operation: 'updateInventory',
    title: 'In any sequence of requests, the stock of each pet is the quantity that was sent last',
    given: walks,
    after: [
      'update-quantity-exact',
      'update-ordinary-accepted',
      'update-listed-status-follows',
      'update-other-pets-untouched',
    ],
    expect: stepwise(followStock),
    usually: 'Pets share state: a cache, a last-used record, a pending write.',
  }),
]
