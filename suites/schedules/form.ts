import {
  type Acts,
  type Asked,
  cancel,
  listInventory,
  listOrders,
  quantityOf,
  type Schedule,
  update,
  type Written,
} from '../acts.ts'
import { repeatable, withKept } from '../contexts/basics.ts'
import { type FormLevel, type FormRow, QUERY_DECLINED, rowsOf } from '../contexts/forms.ts'
import { headersOf } from '../oracle/answer.ts'
import type { Ask, Exchange } from '../oracle/log.ts'

const AT_ONCE = 8
const KEYS = [{ key: 'none' }, { key: 'unknown' }] as const
const NO_KEYS = [{}] as const

/** A basic ask, and the levels of its form. */
interface Formed {
  readonly ask: Ask
  readonly written: Written
  readonly levels: readonly FormLevel[]
}

/** Every form of a request to which HTTP gives the same meaning. */
export const form: Schedule = {
  title: 'forms of requests',
  requests: [145, 137, 90],
  shows: ['cancel-order', 'update-inventory'],
  context: 'form',
  async run(acts) {
    await withKept(acts, kept => inForms(acts, kept))
    await otherPets(acts)
    await otherOrders(acts)
  },
}

async function inForms(acts: Acts, kept: string | undefined): Promise<void> {
  const [orders] = await acts.all([[listOrders()], [listInventory()]])
  const cookies = cookiesOf(orders)
  const rows = rowsOf(repeatable(acts), acts.random)
  const { pets } = acts.fixtures
  const cancelled = new Set<string>()
  for (const batch of batchesOf(rows, Math.min(AT_ONCE, acts.concurrency), Math.max(1, pets.length))) {
    const formed: Formed[] = []
    const left = [...pets]
    for (const row of batch) {
      const { step, levels } = row
      const pet = namesPet(row) ? left.shift() : undefined
      // A form may let in a request without a key, or one with any key.
      const keys = step.isRefused && step.named === 'nothing' ? KEYS : NO_KEYS
      const drawn = await Promise.all(keys.map(key => step.draw(acts, { kept, pet, ...key })))
      for (const [ask, written] of drawn.flatMap(each => (each ? [each] : [])))
        formed.push({ ask, written, levels })
      const [ask] = drawn[0] ?? []
      if (ask?.named === 'pending order' && !ask.refused) cancelled.add(ask.id)
    }
    const answers = await acts.all(formed.map(each => inForm(each, cookies)))
    await acts.all(formed.flatMap((each, nth) => withoutDeclined(each, answers[nth], cookies)))
    await acts.look()
  }
  // Whether it was cancelled or its form declined, an order is cancelled once.
  await acts.all([...cancelled].map(id => [cancel('pending order', id)]))
}

/** First those that name a pet, each another one. An update beside the others could hide what they do to its stock. */
function batchesOf(rows: readonly FormRow[], size: number, pets: number): readonly (readonly FormRow[])[] {
  const cut = (some: readonly FormRow[], most: number) =>
    Array.from({ length: Math.ceil(some.length / most) }, (_, nth) =>
      some.slice(nth * most, (nth + 1) * most),
    )
  const [naming, others] = [rows.filter(namesPet), rows.filter(row => !namesPet(row))]
  return [...cut(naming, Math.min(size, pets)), ...cut(others, size)]
}

const namesPet = ({ step }: FormRow): boolean => step.named === 'pet'

function inForm({ ask, written, levels }: Formed, cookies: string): Asked {
  const declined = levels.flatMap(level => level.declined ?? [])
  return [
    { ...ask, declined, form: levels.map(({ name }) => name) },
    levels.reduce((before, level) => level.apply(before, cookies), written),
  ]
}

/** A level that the server declines hides what it does with the others: those are sent again. */
function withoutDeclined(formed: Formed, answer: Exchange | undefined, cookies: string): readonly Asked[] {
  const status = answer?.response?.status ?? 0
  const levels = formed.levels.filter(({ declined = [] }) => !declined.includes(status))
  const isDeclined = levels.length < formed.levels.length
  return isDeclined && levels.length > 0 ? [inForm({ ...formed, levels }, cookies)] : []
}

/** The cookies of a response, as a client sends them back (RFC 6265 §5.4). A harmless one if there are none. */
function cookiesOf(exchange: Exchange | undefined): string {
  const set = exchange?.response ? headersOf(exchange.response, 'set-cookie') : []
  const pairs = set.map(value => value.split(';', 1)[0]?.trim() ?? '').filter(each => each.includes('='))
  return pairs.join('; ') || 'theme=dark'
}

/** The path names the pet, and nothing else does. A store may refuse a further member or parameter. */
async function otherPets(acts: Acts): Promise<void> {
  const [pet, other] = acts.fixtures.pets.slice(acts.fixtures.canArrange ? 8 : 0)
  if (pet === undefined || other === undefined) return
  const own = { body: { kind: 'refusable', quantity: '8' }, of: other } as const
  const named = [
    ['the petId of another pet in the body', { body: `{"quantity":8,"petId":${other}}` }],
    ['the petId of another pet in the query', { body: quantityOf('8'), query: `petId=${other}` }],
    ['another quantity in the query', { body: quantityOf('8'), query: 'quantity=91' }],
    ['the id of another pet in the body', { body: `{"quantity":8,"id":${other}}` }],
  ] as const
  for (const [what, written] of named) {
    const declined = 'query' in written ? QUERY_DECLINED : []
    const title = `an update of a pet with ${what}`
    await acts.send(update('pet', pet, '8', { ...own, declined, row: 'path-names-pet', title }), written)
    await acts.look()
  }
}

/** The path names the order, and nothing else does. A store may refuse a query. */
async function otherOrders(acts: Acts): Promise<void> {
  const { fixtures } = acts
  const other = fixtures.canArrange ? await fixtures.pending() : undefined
  if (other === undefined) return
  const own = { row: 'path-names-order', of: other, declined: QUERY_DECLINED } as const
  for (const name of ['orderId', 'id', 'order_id']) {
    const order = await fixtures.pending()
    if (order === undefined) break
    const title = `a cancellation with the id of another order as ?${name}=`
    const ask = cancel('pending order', order, { ...own, title })
    const exchange = await acts.send(ask, { query: `${name}=${other}` })
    if (!QUERY_DECLINED.includes(exchange?.response?.status ?? 0)) continue
    await acts.send(cancel('pending order', order))
    break
  }
  await acts.send(cancel('pending order', other))
}
