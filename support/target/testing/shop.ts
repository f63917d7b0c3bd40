import { schedules } from '../../../suites/schedules/index.ts'
import { randomIntegers } from '../../interface/numbers.ts'
import type { Transport } from '../../wire/connection.ts'
import { inProcess } from '../../wire/connection.ts'
import type { WireRequest } from '../../wire/exchange.ts'
import { openTarget, type TargetOptions } from '../open.ts'

export interface ShopRequest {
  readonly method: string
  readonly resource: 'order' | 'pet'
  /** The path segment as it was sent. Empty for a list. */
  readonly id: string
  readonly body: string
  readonly authorization: string | undefined
  readonly hasKey: boolean
  /** From 1. */
  readonly nth: number
}

export interface ShopAnswer {
  readonly status: number
  readonly body?: string
  readonly headers?: readonly (readonly [string, string])[]
}

/** What a store does instead. Undefined: what it should. @param next what it should do */
export type Habit = (
  request: ShopRequest,
  shop: Shop,
  next: () => ShopAnswer,
) => ShopAnswer | Promise<ShopAnswer> | undefined

export const KEY = 'shop-Key-0815'

/** A store written from the document alone. Orders 101 to 103, 201 and 202 and pets 1 and 2 are named; nobody may change others. */
export class Shop {
  readonly orders = new Map<string, string>()
  readonly stock = new Map(Object.entries({ 1: 7n, 2: 0n, 3: 31n, 12.5: 4n }))
  readonly requests: ShopRequest[] = []
  /** The run is over, and restores stock. */
  isEnding = false
  readonly habit: Habit

  constructor(habit: Habit = () => undefined) {
    this.habit = habit
    for (let id = 101; id <= 110; id += 1) this.orders.set(String(id), 'pending')
    for (let id = 201; id <= 204; id += 1) this.orders.set(String(id), 'shipped')
  }

  /** Updates of a pet with the key, in order. */
  updates = (pet: string) => this.requests.filter(each => isUpdate(each) && each.id === pet)

  get options(): TargetOptions {
    return {
      baseUrl: 'http://shop.test/v1',
      apiKey: KEY,
      revokedApiKey: 'Revoked-Key-1',
      transport: this.transport(5_000),
      ...{ timeoutMs: 5_000, concurrency: 4 },
      integers: randomIntegers(1),
      ...{ pendingOrders: ['101', '102', '103'], shippedOrders: ['201', '202'], pets: ['1', '2'] },
    }
  }

  /** Answers what was sent to a path below the prefix. */
  async receive(
    { method, target, headers, body = '' }: Pick<WireRequest, 'method' | 'target' | 'headers' | 'body'>,
    prefix = '/v1',
  ): Promise<ShopAnswer> {
    const own = new RegExp(`^${prefix}(/store/orders|/inventory)(?:/([^?]*))?`)
    const [, path, id = ''] = own.exec(target) ?? []
    const [, authorization] = headers.find(([name]) => /^authorization$/i.test(name)) ?? []
    const hasKey = authorization === `Bearer ${KEY}`
    const resource = path === '/inventory' ? 'pet' : 'order'
    const nth = this.requests.length + 1
    const asked: ShopRequest = { method, resource, id, body: String(body), authorization, hasKey, nth }
    this.requests.push(asked)
    const next = () => (path === undefined ? refused(hasKey ? 404 : 401) : this.answer(asked))
    const answer = await (this.habit(asked, this, next) ?? next())
    if (answer.body === undefined) return answer
    return { ...answer, headers: [['Content-Type', 'application/json'], ...(answer.headers ?? [])] }
  }

  transport = (timeoutMs: number): Transport =>
    inProcess(async request => {
      const { status, body = '', headers = [] } = await this.receive(request)
      return { status, headers, body: Buffer.from(body) }
    }, timeoutMs)

  answer({ method, resource, id, body, hasKey }: ShopRequest): ShopAnswer {
    if (!hasKey) return refused(401)
    const path = `${method} ${resource}${id === '' ? '' : ' id'}`
    if (path === 'GET order') return { status: 200, body: this.orderList() }
    if (path === 'GET pet') return { status: 200, body: this.inventory() }
    if (path === 'DELETE order id') {
      const state = this.orders.get(id)
      if (state === 'shipped') return refused(409)
      if (state !== 'pending') return refused(404)
      this.orders.set(id, 'cancelled')
      return { status: 204 }
    }
    if (path !== 'PATCH pet id') return refused(405)
    if (!this.stock.has(id)) return refused(404)
    const quantity = quantityOf(body)
    return quantity === undefined ? refused(400) : this.set(id, quantity)
  }

  set(pet: string, quantity: bigint): ShopAnswer {
    this.stock.set(pet, quantity)
    return { status: 200, body: entry(pet, quantity) }
  }

  #made = 0
  /** Arranges the provider states in this store. Nothing is removed at teardown, but noted. */
  readonly tornDown: string[] = []
  readonly states = {
    setup: (state: string, params: Readonly<Record<string, unknown>>): Record<string, string[]> => {
      const next = () => String(params['id'] ?? 10_000 + ++this.#made)
      const ids = Array.from({ length: Number(params['count'] ?? 1) }, next)
      for (const id of ids)
        if (state === 'pets') this.stock.set(id, BigInt(Number(params['quantity'])))
        else this.orders.set(id, state === 'shipped orders' ? 'shipped' : 'pending')
      return { [state === 'pets' ? 'petIds' : 'orderIds']: ids }
    },
    teardown: (state: string): unknown => this.tornDown.push(state),
  }

  orderList = (): string => {
    const listed = [...this.orders].filter(([, state]) => state !== 'cancelled')
    const text = ([id, state]: readonly string[]) =>
      `{"id":${id},"petId":3,"quantity":1,"complete":${state === 'shipped'}}`
    return `[${listed.map(text)}]`
  }

  inventory = (): string => `[${[...this.stock].map(([pet, quantity]) => entry(pet, quantity))}]`
}

export const isUpdate = ({ method, id, hasKey }: ShopRequest) => method === 'PATCH' && id !== '' && hasKey
export const stockOf = ({ stock }: Shop, pet: string): bigint => stock.get(pet) ?? 0n

export const refused = (status: number): ShopAnswer => ({
  status,
  body: JSON.stringify({ code: 'refused', message: 'The request was refused.', status }),
})

const entry = (pet: string, quantity: bigint): string =>
  `{"petId":${pet},"quantity":${quantity},"status":"${quantity > 0n ? 'available' : 'sold'}"}`

export function quantityOf(body: string): bigint | undefined {
  const [, digits] = /^\s*\{.*"quantity"\s*:\s*(-?[0-9]{1,15})\s*[,}]/s.exec(body) ?? []
  try {
    return digits !== undefined && JSON.parse(body) && Number(digits) >= 0 ? BigInt(digits) : undefined
  } catch {
    return undefined
  }
}

/** Runs all schedules. @returns the target after its end, and the error that ended the run */
export async function runOn(shop: Shop, options: Partial<TargetOptions> = {}) {
  const target = await openTarget({ ...shop.options, ...options })
  let error: Error | undefined
  try {
    const { acts } = await target.check()
    if (acts)
      for (const { context, run } of schedules) {
        target.client.enter(context)
        await run(acts)
      }
  } catch (thrown) {
    error = thrown as Error
  } finally {
    shop.isEnding = true
    await target.close()
  }
  return { target, error }
}
