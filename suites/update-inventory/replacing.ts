import {
  answered,
  CantTell,
  canonical,
  type Exchange,
  expectJson,
  expectJsonType,
  expectListed,
  expectStatus,
  find,
  isJsonObject,
  type JsonObject,
  member,
  NotApplicable,
  numberOf,
  quantityIn,
  rule,
  scenario,
  show,
  Violation,
} from '../../support/judge/index.ts'

interface Step {
  readonly quantity: bigint
  readonly answer: Exchange
  readonly list: Exchange
}

const ARRANGED = 5n

/** Up, down, the same again, to zero, from zero; the list after each. */
export const replaced = scenario(
  'the stock of a pet, replaced again and again',
  { pets: 2 },
  async ({ store, states }) => {
    const [pet = '', bystander = ''] = await states.pets(2)
    const before = await store.listInventory({ step: 'before' })
    // A pet that is not listed is still updated: another rule says that it is missing.
    const start = stockIn(before, pet) ?? ARRANGED
    const steps: Step[] = []
    for (const quantity of [start + 7n, 3n, 3n, 0n, 1n]) {
      const answer = await store.updateInventory(
        pet,
        { quantity: String(quantity) },
        { step: `to ${quantity}` },
      )
      steps.push({ quantity, answer, list: await store.listInventory({ step: `after ${quantity}` }) })
    }
    // A bigint is no plain data; what a scenario saw must survive JSON.
    return {
      pet,
      bystander,
      before,
      steps: steps.map(step => ({ ...step, quantity: String(step.quantity) })),
    }
  },
)

function stockIn(list: Exchange, pet: string): bigint | undefined {
  try {
    return quantityIn(list, pet)
  } catch (error) {
    if (error instanceof CantTell) return undefined
    throw error
  }
}

type Seen = {
  readonly steps: readonly { readonly quantity: string; readonly answer: Exchange; readonly list: Exchange }[]
}

const given = { operation: 'updateInventory', given: replaced } as const

const [UP, ZERO, FROM_ZERO] = [0, 3, 4] as const

function stepAt({ steps }: Seen, at: number) {
  const step = steps[at]
  if (!step) throw new CantTell('the scenario did not get so far')
  return step
}

const aboveZero = ({ steps }: Seen) => steps.slice(0, ZERO)

/** The entry in an answer. */
function entryIn(exchange: Exchange): JsonObject {
  const { value } = expectJson(exchange)
  if (isJsonObject(value)) return value
  throw new Violation('an inventory entry', show(value), exchange)
}

function expectQuantity(exchange: Exchange, quantity: string): void {
  expectStatus(exchange, 200)
  const entry = entryIn(exchange)
  if (member(entry, 'quantity') === undefined) throw notShown('quantity')
  if (numberOf(entry, 'quantity') !== quantity) {
    throw new Violation(`quantity ${quantity}`, show(member(entry, 'quantity') ?? null), exchange)
  }
}

/** Only status is stated to be in every entry (§2); that the others are, is a rule of its own. */
const notShown = (name: string): NotApplicable => new NotApplicable(`the updated entry shows no ${name}`)

function says(answer: Exchange, quantity: string): boolean {
  const entry = entryIn(answer)
  return member(entry, 'quantity') === undefined || numberOf(entry, 'quantity') === quantity
}

const statusFor = (quantity: string): string => (quantity === '0' ? 'sold' : 'available')

function expectLabel(entry: JsonObject, quantity: string, exchange: Exchange): void {
  const status = member(entry, 'status')
  if (status !== statusFor(quantity)) {
    throw new Violation(
      `status "${statusFor(quantity)}" at quantity ${quantity}`,
      show(status ?? null),
      exchange,
    )
  }
}

export const rules = [
  rule({
    ...given,
    id: 'update-200',
    level: 'required',
    clause: '4.4/200',
    title: 'An update of the stock answers 200',
    after: 'auth-valid-key-update-inventory',
    expect: seen => expectStatus(stepAt(seen, UP).answer, 200),
    usually: 'A PATCH that answers 204 or 202; or a pet that was named does not exist.',
  }),
  rule({
    ...given,
    id: 'update-content-type',
    level: 'required',
    clause: '1/json',
    title: 'The updated entry is application/json',
    after: 'update-200',
    expect: seen => expectJsonType(stepAt(seen, UP).answer),
  }),
  rule({
    ...given,
    id: 'update-entry',
    level: 'required',
    clause: '4.4/200',
    title: 'An update answers with an inventory entry: one JSON object',
    after: 'update-200',
    expect: seen => void entryIn(stepAt(seen, UP).answer),
    usually: 'The whole list, a wrapper, or nothing is sent back.',
  }),
  rule({
    ...given,
    id: 'update-entry-status',
    level: 'required',
    clause: '2/entry-status',
    title: 'The updated entry has a status, which is a string',
    after: 'update-entry',
    expect(seen) {
      const { answer } = stepAt(seen, UP)
      const status = member(entryIn(answer), 'status')
      if (typeof status !== 'string')
        throw new Violation('a string as status', status === undefined ? 'none' : show(status), answer)
    },
  }),
  rule({
    ...given,
    id: 'update-entry-whole',
    level: 'implied',
    because: '§2 lists petId and quantity for every entry; only status is said to be always there.',
    clause: '2/entry',
    title: 'The updated entry has a petId and a quantity',
    after: 'update-entry',
    expect(seen) {
      const { answer } = stepAt(seen, UP)
      for (const name of ['petId', 'quantity'])
        if (member(entryIn(answer), name) === undefined) throw new Violation(name, `none`, answer)
    },
  }),
  rule({
    ...given,
    id: 'update-entry-of-that-pet',
    level: 'required',
    clause: '4.4/200',
    title: 'The updated entry is that of the pet in the path',
    after: 'update-entry',
    expect(seen) {
      const { answer } = stepAt(seen, UP)
      const id = numberOf(entryIn(answer), 'petId')
      if (member(entryIn(answer), 'petId') === undefined) throw notShown('petId')
      if (id === undefined)
        throw new Violation(`petId ${seen.pet}`, show(member(entryIn(answer), 'petId') ?? null), answer)
      expectSame(id, seen.pet, answer)
    },
  }),
  rule({
    ...given,
    id: 'update-replaces',
    level: 'required',
    clause: '4.4/replaces',
    title: 'The quantity that was sent replaces the stock: up, down, and the same again',
    after: 'update-entry',
    expect(seen) {
      for (const { answer, quantity } of aboveZero(seen)) expectQuantity(answer, quantity)
    },
    usually: 'The quantity is added to the stock; or the answer shows the entry as it was before.',
  }),
  rule({
    ...given,
    id: 'update-to-zero',
    level: 'required',
    clause: '4.4/replaces',
    title: 'The stock can be set to 0',
    after: 'update-replaces',
    expect: seen => expectQuantity(stepAt(seen, ZERO).answer, '0'),
    usually: 'The check for a missing quantity takes 0 for missing.',
  }),
  rule({
    ...given,
    id: 'update-from-zero',
    level: 'required',
    clause: '4.4/replaces',
    title: 'A sold pet can be restocked',
    after: 'update-to-zero',
    expect: seen => expectQuantity(stepAt(seen, FROM_ZERO).answer, '1'),
    usually: 'A sold pet is taken for a deleted one.',
  }),
  rule({
    ...given,
    id: 'update-listed',
    level: 'implied',
    because:
      '§4.4 replaces the current stock, and §4.3 lists the current stock; that it does so at once follows.',
    clause: '4.4/replaces',
    title: 'The inventory shows the new stock at once',
    after: ['update-replaces', 'update-other-pets-untouched'],
    expect({ pet, steps }) {
      for (const { answer, list, quantity } of steps) {
        // Where the answer says another quantity than was sent, that is the matter of another rule.
        if (answer.response?.status !== 200 || !says(answer, quantity) || !find(list, 'petId', pet)) continue
        const listed = quantityIn(list, pet)
        if (String(listed) !== quantity)
          throw new Violation(`quantity ${quantity} of pet ${pet} in the list`, String(listed), answer, list)
      }
    },
    usually: 'The list comes from a cache or a replica that lags behind.',
  }),
  rule({
    ...given,
    id: 'update-status-follows',
    level: 'implied',
    because: '§2 shows the mapping and does not call it a rule.',
    clause: '2/status-mapping',
    title: 'The status in the answer follows the quantity: sold at 0, else available',
    after: [
      'inventory-sold-at-zero',
      'inventory-available-above-zero',
      'update-entry-status',
      'update-replaces',
      'update-to-zero',
      'update-from-zero',
    ],
    expect({ steps }) {
      for (const { answer, quantity } of steps) expectLabel(entryIn(answer), quantity, answer)
    },
    usually: 'The status is a column of its own, and an update leaves it as it was.',
  }),
  rule({
    ...given,
    id: 'update-listed-status-follows',
    level: 'implied',
    because: '§2 shows the mapping and does not call it a rule.',
    clause: '2/status-mapping',
    title: 'The status in the inventory follows the updates',
    after: ['update-status-follows', 'update-listed'],
    expect({ pet, steps }) {
      for (const { list, quantity } of steps) {
        const entry = find(list, 'petId', pet)
        if (entry) expectLabel(entry, quantity, list)
      }
    },
  }),
  rule({
    ...given,
    id: 'update-other-pets-untouched',
    level: 'implied',
    because: '§4.4 updates one pet; that the others stay as they are follows.',
    clause: '4.4/pet-id',
    title: 'An update leaves other pets as they are',
    after: ['update-200', 'list-inventory-objects'],
    expect({ bystander, before, steps }) {
      const was = quantityIn(before, bystander)
      for (const { list, answer } of steps) {
        const is = quantityIn(list, bystander)
        if (was !== is)
          throw new Violation(`quantity ${was} of pet ${bystander}, as before`, String(is), answer, list)
      }
    },
  }),
  rule({
    ...given,
    id: 'list-inventory-sold-listed',
    operation: 'listInventory',
    level: 'implied',
    because: '§2 reports a pet of which none is left as sold: it is in the list.',
    clause: '2/status-mapping',
    title: 'A sold pet is in the inventory',
    after: ['list-inventory-pets-listed', 'update-from-zero'],
    expect(seen) {
      const { list } = stepAt(seen, ZERO)
      answered(list)
      expectListed(list, 'petId', [seen.pet])
    },
    usually: 'The list shows what can be bought.',
  }),
]

function expectSame(id: string, pet: string, exchange: Exchange): void {
  if (canonical(id) !== canonical(pet)) throw new Violation(`petId ${pet}`, id, exchange)
}
