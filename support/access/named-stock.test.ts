import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { NotArranged } from '../judge/outcome.ts'
import { openTarget } from './target.ts'
import { fakeStore, json } from './testing/parts.ts'

/** A store of two pets with a stock of 5, and targets over it, each with a reports folder of its own. */
function shop(update: (pet: string, quantity: number, stock: Map<string, number>) => boolean = () => true) {
  const stock = new Map([
    ['1', 5],
    ['2', 5],
  ])
  const store = fakeStore(({ method, target, body }) => {
    const pet = target.split('/').at(-1) ?? ''
    if (method === 'PATCH') {
      const { quantity } = JSON.parse(String(body))
      if (!update(pet, quantity, stock)) return json({ code: 'no', message: 'no', status: 500 }, 500)
      stock.set(pet, quantity)
      return json({ petId: Number(pet), quantity })
    }
    return json([...stock].map(([petId, quantity]) => ({ petId: Number(petId), quantity })))
  })
  const open = async () => {
    const undoPath = join(mkdtempSync(join(tmpdir(), 'store-conformance-')), 'undo.json')
    const options = { baseUrl: 'https://store.test/v1', apiKey: 'key', readOnly: false, timeoutMs: 5_000 }
    const target = await openTarget(
      { ...options, concurrency: 1, transport: store.transport, pets: ['1', '2'], undoPath },
      [],
    )
    return { target, undoPath }
  }
  return { stock, open }
}

it('restores at the end of the run a pet that the store changed with another one, and warns', async () => {
  const { stock, open } = shop((_pet, quantity, all) => {
    if (quantity !== 5) all.set('2', quantity)
    return true
  })
  const { target, undoPath } = await open()
  const stage = target.stage('a')
  const [pet = ''] = await stage.states.pets(1)
  await stage.store.updateInventory(pet, { quantity: '77' })
  await stage.end()
  expect([...stock.values()]).toEqual([5, 77])
  await target.close()
  expect([...stock.values()]).toEqual([5, 5])
  expect(target.warnings).toEqual([
    'the stock of pet 2 was 77 after the last scenario, and was restored to 5',
  ])
  expect(existsSync(undoPath)).toBe(false)
})

it('tries again at the end to restore a stock, and drops the warning if that succeeds', async () => {
  let refuses = false
  const { stock, open } = shop(() => !refuses)
  const { target, undoPath } = await open()
  const stage = target.stage('a')
  const [pet = ''] = await stage.states.pets(1)
  await stage.store.updateInventory(pet, { quantity: '77' })
  refuses = true
  await stage.end()
  expect(target.warnings).toEqual(['the stock of pet 1 was 5 and is 77 now; it could not be restored'])
  refuses = false
  await target.close()
  expect([...stock.values()]).toEqual([5, 5])
  expect(target.warnings).toEqual([])
  expect(existsSync(undoPath)).toBe(false)
})

it('does not overwrite the value of another client, leaves the pet alone afterwards, and warns', async () => {
  const { stock, open } = shop()
  const { target, undoPath } = await open()
  const stage = target.stage('a')
  const [pet = ''] = await stage.states.pets(1)
  await stage.store.updateInventory(pet, { quantity: '77' })
  stock.set('1', 123)
  await stage.end()
  expect(stock.get('1')).toBe(123)
  const next = target.stage('b')
  await expect(next.states.pets(1)).rejects.toThrow(NotArranged)
  await next.end()
  await target.close()
  expect(stock.get('1')).toBe(123)
  expect(target.warnings).toEqual([
    'the stock of pet 1 was 5 and is 123 now, which this run did not send; another client may have changed it, so it was left as it is',
  ])
  expect(existsSync(undoPath)).toBe(true)
})

it('does not use a pet that another client changed between two scenarios', async () => {
  const { stock, open } = shop()
  const { target } = await open()
  const first = target.stage('a')
  const [pet = ''] = await first.states.pets(1)
  await first.store.updateInventory(pet, { quantity: '77' })
  await first.end()
  stock.set('1', 123)
  const second = target.stage('b')
  await expect(second.states.pets(1)).rejects.toThrow(/another client changes the stock of pet 1/)
  await second.end()
  await target.close()
  expect(stock.get('1')).toBe(123)
})

it('two overlapping runs over the same pets restore the stock if the first one ends last', async () => {
  const { stock, open } = shop()
  const one = await open()
  const other = await open()
  const a = one.target.stage('a')
  const [pet = ''] = await a.states.pets(1)
  await a.store.updateInventory(pet, { quantity: '77' })
  const b = other.target.stage('b')
  await b.states.pets(1)
  await b.store.updateInventory(pet, { quantity: '88' })
  await a.end()
  expect(stock.get('1')).toBe(88)
  await b.end()
  await other.target.close()
  expect(stock.get('1')).toBe(77)
  await one.target.close()
  expect(stock.get('1')).toBe(5)
  expect(one.target.warnings).toEqual([])
})
