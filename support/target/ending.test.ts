import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { randomIntegers } from '../interface/numbers.ts'
import { newFolder } from '../wire/testing/folder.ts'
import { isUpdate, refused, runOn, Shop, type ShopRequest, stockOf } from './testing/shop.ts'
import { restoreStock, undoFiles } from './undo.ts'

it.each([401, 403, 423, 429])(
  'a store that answers %i after 20 wrong keys gets few further requests, and its stock back',
  async status => {
    let wrong = 0
    const shop = new Shop((request, _shop, next) => {
      if (wrong > 20) return { ...refused(status), headers: [['Retry-After', '3600']] }
      if (!request.hasKey) wrong += 1
      return next()
    })
    const { target } = await runOn(shop)
    const text = `^the key was accepted until request \\d+; since then ${status}: does the store lock out`
    const reason = expect.stringMatching(new RegExp(text))
    expect(target.stopped()).toEqual(reason)
    expect([...new Set(target.log.unsent.map(each => each.reason))]).toEqual([reason])
    expect(shop.requests.length).toBeLessThan(300)
    const answers = target.log.exchanges.filter(({ response }) => response?.status === status)
    expect(status === 401 || answers.length === 0).toBe(true)
  },
)

it('a run without a journal that can be written changes no named pet', async () => {
  const folder = newFolder()
  mkdirSync(join(folder, 'undo.json.new', 'in the way'), { recursive: true })
  const shop = new Shop()
  const { target } = await runOn(shop, { undoPath: join(folder, 'undo.json') })
  expect([...shop.updates('1'), ...shop.updates('2')]).toEqual([])
  const reason = expect.stringMatching(/cannot be saved/)
  expect(target.log.unsent[0]).toMatchObject({ reason, need: 'make the reports folder writable' })
})

it('a read-only run sends GET requests alone, arranges nothing, and says so', async () => {
  const shop = new Shop()
  const { target } = await runOn(shop, { readOnly: true, states: shop.states })
  expect(shop.requests.filter(({ method, id }) => method !== 'GET' || id !== '')).toEqual([])
  expect(new Set(target.log.unsent.map(({ need }) => need))).toEqual(new Set(['run without --read-only']))
  expect([target.effects, shop.orders.size]).toEqual([{ did: [], left: [] }, new Shop().orders.size])
})

it('an operation that the profile leaves out is not sent', async () => {
  const shop = new Shop()
  const { target } = await runOn(shop, { without: ['updateInventory'] })
  expect(shop.requests.filter(isUpdate)).toEqual([])
  expect(target.log.unsent.every(each => each.isInapplicable)).toBe(true)
})

it('a named pet keeps the units of a cancelled order for it', async () => {
  const shop = new Shop((_request, own, next) => {
    const answer = next()
    if (answer.status === 204) own.stock.set('1', stockOf(own, '1') + 4n)
    return answer
  })
  shop.orderList = () => `[${[...shop.orders].map(([id]) => `{"id":${id},"petId":1,"quantity":4}`).join()}]`
  const { target } = await runOn(shop)
  expect(stockOf(shop, '1')).toBeGreaterThan(7n)
  expect([(stockOf(shop, '1') - 7n) % 4n, target.unrestored]).toEqual([0n, []])
})

it('a pet whose update got no answer in time is changed no further, and restored at the end', async () => {
  const isLost = (request: ShopRequest, { updates }: Shop) => updates('1')[3] === request
  const shop = new Shop((request, own, next) => (isLost(request, own) ? new Promise(() => 0) : next()))
  const { target } = await runOn(shop, { transport: shop.transport(100) })
  expect(shop.updates('1').length).toBeLessThan(10)
  expect([stockOf(shop, '1'), target.unrestored]).toEqual([7n, []])
  const late = /^an update of pet 1 got no answer in time.* after this run\. Check later that its stock is 7$/
  expect(target.warnings).toEqual([expect.stringMatching(late)])
})

/** A run at whose nth request the user presses Ctrl-C. */
const stoppedAt = async (nth: number, hasStates = false) => {
  const stop = new AbortController()
  const shop = new Shop((request, _shop, next) => {
    if (request.nth === nth) stop.abort()
    return next()
  })
  const states = hasStates ? shop.states : undefined
  return { shop, ...(await runOn(shop, { signal: stop.signal, states })) }
}
const isRestored = (shop: Shop) => stockOf(shop, '1') === 7n && stockOf(shop, '2') === 0n

it.each([1, 3, 12, 25, 60, 150, 300, 600])(
  'Ctrl-C at request %i restores stock, and sends nothing else',
  async nth => {
    const { shop, target, error } = await stoppedAt(nth)
    expect([isRestored(shop), target.unrestored, error]).toEqual([true, [], undefined])
    expect(shop.requests.length).toBeLessThan(nth + 20)
    expect(target.stopped()).toBe('The run was stopped before its end.')
  },
)

it('Ctrl-C tears down each setup that was made by then, the last one first', async () => {
  const { shop } = await stoppedAt(40, true)
  expect(shop.tornDown).toEqual(['pets', 'pets', 'shipped orders', 'pending orders', 'pets'])
})

it('a run at its time limit says so', async () => {
  const shop = new Shop((_request, _shop, next) => sleep(5).then(next))
  const { target } = await runOn(shop, { maxDurationMs: 300 })
  expect(target.stopped()).toBe('The run was stopped after 0.3 s, its time limit.')
  expect(target.log.unsent.at(-1)?.need).toBe('give it more time with --max-duration')
  expect([isRestored(shop), target.unrestored]).toEqual([true, []])
})

it('a run that is killed at any of 30 moments is restored by restore, with nothing but undo.json and the key', async () => {
  const [undoPath, random] = [join(newFolder(), 'undo.json'), randomIntegers(7)('moments')]
  const moments = new Set(Array.from({ length: 30 }, () => 1 + Number(random(1_000n))))
  const killed: { readonly stock: ReadonlyMap<string, bigint>; readonly folder: string }[] = []
  const copy = (shop: Shop, nth: number) => {
    if (!moments.has(nth)) return
    const folder = newFolder()
    if (existsSync(undoPath)) copyFileSync(undoPath, join(folder, 'undo.json'))
    killed.push({ stock: new Map(shop.stock), folder })
  }
  // Killed before the store has received a request, and after that.
  const watched = new Shop(({ nth }, shop, next) => {
    copy(shop, nth)
    const answer = next()
    copy(shop, nth)
    return answer
  })
  await runOn(watched, { undoPath })
  const changed = killed.filter(({ stock }) => stock.get('1') !== 7n || stock.get('2') !== 0n)
  expect([killed.length > 50, changed.length > 20]).toEqual([true, true])
  for (const { stock, folder } of killed) {
    const shop = new Shop()
    for (const [pet, quantity] of stock) shop.stock.set(pet, quantity)
    for (const left of undoFiles(folder)) await restoreStock(shop.options, left)
    expect([[...shop.stock], existsSync(join(folder, 'undo.json'))]).toEqual([[...new Shop().stock], false])
  }
})
