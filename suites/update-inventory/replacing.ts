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
  readonly quantity: string
  readonly answer: Exchange
  readonly list: Exchange
}

const ARRANGED = 5n

/** What any store takes as a stock; how far beyond it a stock can go, is not shown. */
const isOrdinary = (quantity: bigint): boolean => quantity >= 0n && quantity < 1000n

/** Up and down, the same again, to zero, from zero, and back; the list after each. */
export const replaced = scenario(
  'the stock of a pet, replaced again and again',
  { pets: 2 },
  async ({ store, states }) => {
    const [pet = '', bystander = ''] = await states.pets(2)
    const before = await store.listInventory({ step: 'before' })
    const listed = stockIn(before, pet)
    // A pet that is not listed is still updated: another rule says that it is missing.
    const start = listed ?? ARRANGED
    const replace = async (quantity: bigint, step: string): Promise<Step> => ({
      quantity: String(quantity),
      answer: await store.updateInventory(pet, { quantity: String(quantity) }, { step }),
      list: await store.listInventory({ step: `after ${quantity}` }),
    })
    const first = isOrdinary(start) && isOrdinary(start + 7n) ? start + 7n : 3n
    const steps: Step[] = []
    for (const quantity of [first, 11n, 3n, 3n, 0n, 1n]) steps.push(await replace(quantity, `to ${quantity}`))
    return {
      pet,
      bystander,
      before,
      steps,
      ...(listed !== undefined && isOrdinary(listed)
        ? { back: await replace(listed, `back to ${listed}`) }
        : {}),
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

type Seen = { readonly steps: readonly Step[] }

const given = { operation: 'updateInventory', given: replaced } as const

const [FIRST, ZERO, FROM_ZERO] = [0, 4, 5] as const

function stepAt({ steps }: Seen, at: number): Step {
  const step = steps[at]
  if (!step) throw new CantTell('the scenario did not get so far')
  return step
}

/** Of the updates that were answered as they should be; another answer is the matter of another rule. */
const answered200 = ({ steps }: Seen): Exchange[] =>
  steps.map(({ answer }) => answer).filter(({ response }) => response?.status === 200)

const aboveZero = ({ steps }: Seen) => steps.slice(0, ZERO)

/** The entry in an answer. */
function entryIn(exchange: Exchange): JsonObject {
  const { value } = expectJson(exchange)
  if (isJsonObject(value)) return value
  throw new Violation('an inventory entry', show(value), exchange)
}

function expectQuantity(step: Step): void {
  expectStatus(step.answer, 200)
  if (member(entryIn(step.answer), 'quantity') === undefined) throw notShown('quantity')
  expectSaid(step)
}

/** Only status is stated to be in every entry (§2); that the others are, is a rule of its own. */
const notShown = (name: string): NotApplicable => new NotApplicable(`the updated entry shows no ${name}`)

function says({ answer, quantity }: Step): boolean {
  const entry = entryIn(answer)
  return member(entry, 'quantity') === undefined || numberOf(entry, 'quantity') === quantity
}

function expectSaid(step: Step): void {
  const { answer, quantity } = step
  if (!says(step))
    throw new Violation(`quantity ${quantity}`, show(member(entryIn(answer), 'quantity') ?? null), answer)
}

function expectListedStock(pet: string, { answer, list, quantity }: Step): void {
  if (!find(list, 'petId', pet)) return
  const listed = quantityIn(list, pet)
  if (String(listed) !== quantity)
    throw new Violation(`quantity ${quantity} of pet ${pet} in the list`, String(listed), answer, list)
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
    expect: seen => expectStatus(stepAt(seen, FIRST).answer, 200),
    usually: 'A PATCH that answers 204 or 202; or a pet that was named does not exist.',
  }),
  rule({
    ...given,
    id: 'update-content-type',
    level: 'required',
    clause: '1/json',
    title: 'The updated entry is application/json',
    after: 'update-200',
    expect: seen => expectJsonType(stepAt(seen, FIRST).answer),
  }),
  rule({
    ...given,
    id: 'update-entry',
    level: 'required',
    clause: '4.4/200',
    title: 'An update answers with an inventory entry: one JSON object',
    after: 'update-200',
    expect: seen => void answered200(seen).map(entryIn),
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
      const { answer } = stepAt(seen, FIRST)
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
    title: 'The updated entry has a petId and a quantity, whatever the quantity is',
    after: 'update-entry',
    expect(seen) {
      for (const answer of answered200(seen))
        for (const name of ['petId', 'quantity'])
          if (member(entryIn(answer), name) === undefined) throw new Violation(name, `none`, answer)
    },
    usually: 'The serialiser leaves out what is 0 (omitempty).',
  }),
  rule({
    ...given,
    id: 'update-entry-of-that-pet',
    level: 'required',
    clause: '4.4/200',
    title: 'The updated entry is that of the pet in the path',
    after: 'update-entry',
    expect(seen) {
      const { answer } = stepAt(seen, FIRST)
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
      for (const step of aboveZero(seen)) expectQuantity(step)
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
    expect: seen => expectQuantity(stepAt(seen, ZERO)),
    usually: 'The check for a missing quantity takes 0 for missing.',
  }),
  rule({
    ...given,
    id: 'update-from-zero',
    level: 'required',
    clause: '4.4/replaces',
    title: 'A sold pet can be restocked',
    after: 'update-to-zero',
    expect: seen => expectQuantity(stepAt(seen, FROM_ZERO)),
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
      for (const step of steps) {
        // Where the answer says another quantity than was sent, that is the matter of another rule.
        if (step.answer.response?.status === 200 && says(step)) expectListedStock(pet, step)
      }
    },
    usually: 'The list comes from a cache or a replica that lags behind.',
  }),
  rule({
    ...given,
    id: 'update-back',
    level: 'required',
    clause: '4.4/replaces',
    title: 'The stock can be set back to what it was before its first update',
    after: ['update-from-zero', 'update-listed'],
    expect({ pet, back }) {
      if (!back) throw new NotApplicable('the stock at first is none that any store takes')
      expectStatus(back.answer, 200)
      expectSaid(back)
      expectListedStock(pet, back)
    },
    usually: 'A mapper compares with the quantity that it loaded first, finds no change, and saves none.',
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
