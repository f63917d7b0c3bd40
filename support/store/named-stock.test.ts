import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newFolder } from '../http/testing/folder.ts'
import { CantTell, NotArranged } from '../judge/outcome.ts'
import { openStore } from './target.ts'
import { fakeStore, json } from './testing/parts.ts'

type Stock = Map<string, number>

const NEEDS = [{ title: 'a', needs: { pendingOrders: 1 } }]
const ORDER = { id: 7, petId: 1, quantity: 4, status: 'pending' }

/**
 * A store of two pets with a stock of 5, and targets over it.
 * @param update sets the stock. Returns false for a refusal
 * @param shown the stock that a list shows. Undefined for an error
 * @param late the quantity of an update that is not answered in time
 */
function shop(
  update: (pet: string, quantity: number, stock: Stock) => unknown = set,
  first = 5,
  shown = (stock: Stock): Stock | undefined => stock,
  late?: number,
) {
  const stock: Stock = new Map([
    ['1', first],
    ['2', first],
  ])
  /** Quantities that were sent to pet 1. */
  const sent: number[] = []
  const store = fakeStore(({ method, target, body }) => {
    const pet = target.split('/').at(-1) ?? ''
    if (method === 'DELETE' && pet === '7') return { status: 204 }
    if (method === 'DELETE') return json({ code: 'no', message: 'no', status: 404 }, 404)
    if (method === 'PATCH') {
      const { quantity } = JSON.parse(String(body))
      if (pet === '1') sent.push(quantity)
      if (quantity === late) return { kind: 'timeout', message: 'no answer' }
      if (!stock.has(pet)) return json({ code: 'no', message: 'no', status: 404 }, 404)
      if (update(pet, quantity, stock) === false) return json({ code: 'no', message: 'no', status: 400 }, 400)
      return json({ petId: Number(pet), quantity })
    }
    if (target.endsWith('/store/orders')) return json([ORDER])
    const listed = shown(stock)
    return listed === undefined
      ? json({}, 500)
      : json([...listed].map(([petId, quantity]) => ({ petId: Number(petId), quantity })))
  })
  const open = async (folder = newFolder()) => {
    const undoPath = join(folder, 'undo.json')
    const limits = { timeoutMs: 5_000, statesTimeoutMs: 5_000, concurrency: 1 }
    const where = { baseUrl: 'https://store.test/v1', transport: store.transport, apiKey: 'key', undoPath }
    const target = await openStore(
      { ...where, ...limits, readOnly: false, pets: ['1', '2'], pendingOrders: ['7'] },
      NEEDS,
    )
    return { target, undoPath }
  }
  /** A target whose first scenario has set the stock of pet 1 to 77, and has not ended. */
  const changing = async () => {
    const { target, undoPath } = await open()
    const stage = target.access('a')
    const [pet = ''] = await stage.states.pets(1)
    await stage.store.updateInventory(pet, { quantity: '77' })
    return { target, undoPath, stage }
  }
  return { stock, sent, open, changing }
}
const set = (pet: string, quantity: number, stock: Stock) => stock.set(pet, quantity)
/** What a further scenario gets, or the error. */
const nextPets = async (target: Awaited<ReturnType<typeof openStore>>, scenario = 'b') => {
  const { states, end } = target.access(scenario)
  const pets = await states.pets(1).catch((error: Error) => error)
  await end()
  return pets
}
const adds = (pet: string, quantity: number, stock: Stock) =>
  set(pet, (stock.get(pet) ?? 0) + quantity, stock)

/** A folder with the journal of an earlier run, which did not restore these pets. */
const folderWith = (...pets: readonly { petId: string; quantity: string }[]) => {
  const journal = { format: 'store-conformance-undo/1', baseUrl: 'https://store.test/v1', pets }
  return newFolder({ 'undo.json': JSON.stringify(journal) })
}

it('tries the first update of a pet, and restores it, before a scenario gets the pet', async () => {
  const { sent, open } = shop()
  const { target } = await open()
  for (const scenario of ['a', 'b']) expect(await nextPets(target, scenario)).toEqual(['1'])
  expect(sent).toEqual([14, 5])
})

it('names a pet in each update as the user named it', async () => {
  let quantity = 5
  const store = fakeStore(({ method, body }) => {
    if (method === 'PATCH') quantity = JSON.parse(String(body)).quantity
    return json(method === 'PATCH' ? `{"quantity":${quantity}}` : `[{"petId":1.50,"quantity":${quantity}}]`)
  })
  const where = { baseUrl: 'https://store.test/v1', transport: store.transport, apiKey: 'key' }
  const limits = { timeoutMs: 5_000, statesTimeoutMs: 5_000, concurrency: 1, readOnly: false }
  const undoPath = join(newFolder(), 'undo.json')
  const target = await openStore({ ...where, ...limits, undoPath, pets: ['1.50'] }, NEEDS)
  expect(await nextPets(target)).toEqual(['1.50'])
  const updates = store.asked.filter(each => each.startsWith('PATCH'))
  expect(updates).toEqual(Array(2).fill('PATCH /v1/inventory/1.50'))
})

it('does not change or compare a pet after an update without an answer in time, and restores it at the end', async () => {
  const { stock, open } = shop(set, 5, undefined, 77)
  const { target } = await open()
  const stage = target.access('a')
  const [pet = ''] = await stage.states.pets(1)
  await stage.store.updateInventory(pet, { quantity: '77' })
  await expect(stage.store.updateInventory(pet, { quantity: '3' })).rejects.toThrow(/no answer in time/)
  await stage.end()
  expect(await nextPets(target)).toMatchObject({ need: expect.stringContaining('--timeout') })
  expect(target.access('b').states.owned().pets).not.toContain('1')
  stock.set('1', 77)
  await target.close()
  expect([stock.get('1'), target.unrestored]).toEqual([5, []])
  expect(target.warnings).toContainEqual(expect.stringMatching(/pet 1 .*after this run.*stock is 5$/))
})

it('says that the inventory could not be read, not that a pet is missing, and compares nothing with it', async () => {
  let isReadable = true
  const { sent, open } = shop(set, 5, stock => (isReadable ? stock : undefined))
  const { target } = await open()
  expect(await nextPets(target, 'a')).toEqual(['1'])
  isReadable = false
  const pets = await nextPets(target)
  expect(pets).toBeInstanceOf(CantTell)
  expect(pets).toMatchObject({
    message: expect.stringMatching(/^the inventory could not be read, so no stock/),
  })
  await target.close()
  expect(target.warnings).toContainEqual(
    expect.stringMatching(
      /^the inventory could not be read at the end of the run, so the stock of the named/,
    ),
  )
  expect(sent).toEqual([14, 5])
})

it('restores at the end of the run a pet that the store changed with another one, and warns', async () => {
  const { stock, changing } = shop((pet, quantity, all) => {
    all.set(pet, quantity)
    if (quantity === 77) all.set('2', quantity)
  })
  const { target, undoPath, stage } = await changing()
  await stage.end()
  expect([...stock.values()]).toEqual([5, 77])
  await target.close()
  expect([...stock.values()]).toEqual([5, 5])
  expect(target.warnings).toEqual([
    'the stock of pet 2 was 77 after the last scenario, and was restored to 5',
  ])
  expect(target.unrestored).toEqual([])
  expect(existsSync(undoPath)).toBe(false)
})

it('tries again at the end to restore a stock whose update was refused, and drops the warning if that succeeds', async () => {
  let refuses = false
  const { stock, changing } = shop((pet, quantity, all) => !refuses && set(pet, quantity, all))
  const { target, undoPath, stage } = await changing()
  refuses = true
  await stage.end()
  expect(target.warnings).toEqual([
    'the stock of pet 1 was 5 and is 77 now; it could not be restored: the update was answered 400',
  ])
  expect(target.unrestored).toEqual(['1'])
  expect(await nextPets(target)).toBeInstanceOf(NotArranged)
  refuses = false
  await target.close()
  expect([...stock.values()]).toEqual([5, 5])
  expect([target.warnings, target.unrestored]).toEqual([[], []])
  expect(existsSync(undoPath)).toBe(false)
})

it('does not change a stock that cannot be saved, and restores the others if the journal stays unwritable', async () => {
  const { stock, changing } = shop()
  const { target, undoPath, stage } = await changing()
  expect(await stage.states.pets(2)).toEqual(['1', '2'])
  // A folder with the name of the temporary file makes every write fail.
  mkdirSync(join(`${undoPath}.new`, 'in the way'), { recursive: true })
  for (let times = 0; times < 2; times += 1)
    await expect(stage.store.updateInventory('2', { quantity: '77' })).rejects.toThrow(
      /cannot be saved before it is changed/,
    )
  await stage.store.updateInventory('1', { quantity: '78' })
  rmSync(undoPath)
  mkdirSync(undoPath)
  await stage.end()
  expect([...stock.values()]).toEqual([5, 5])
  expect(target.warnings.join()).toMatch(/is 5 again, but the undo journal still lists it/)
  const next = target.access('b')
  expect(await next.states.pets(2)).toEqual(['1', '2'])
  await next.end()
  await target.close()
})

it('does not change a named pet before a scenario gets it, or one that is not in the inventory', async () => {
  const { stock, sent, open } = shop()
  const { target } = await open()
  const stage = target.access('a')
  await stage.store.listInventory()
  await expect(stage.store.updateInventory('1', { quantity: '77' })).rejects.toThrow(/which was not named/)
  stock.delete('1')
  await expect(stage.states.pets(1)).rejects.toMatchObject({
    message: expect.stringMatching(/^pet 1 is not in the inventory/),
    need: 'name another pet than 1 with --pets',
  })
  await stage.end()
  expect(sent).toEqual([])
})

describe('a store that does not make an update as it was sent gets no further one for this pet', () => {
  it.each([
    ['adds, to nothing', adds, 0, [9, 3, -12], 0],
    ['ignores it', () => true, 5, [14, 5], 5],
    [
      'ignores the one that restores it',
      (pet: string, quantity: number, stock: Stock) => quantity === 5 || set(pet, quantity, stock),
      5,
      [14, 5],
      14,
    ],
    [
      'halves it',
      (pet: string, quantity: number, stock: Stock) => set(pet, Math.floor(quantity / 2), stock),
      5,
      [14, 5],
      2,
    ],
  ])('%s', async (_title, update, first, wanted, left) => {
    const { stock, sent, open } = shop(update, first)
    const { target, undoPath } = await open()
    for (const name of ['a', 'b']) {
      const stage = target.access(name)
      await expect(stage.states.pets(1)).rejects.toThrow(NotArranged)
      await expect(stage.store.updateInventory('1', { quantity: '9' })).rejects.toThrow(NotArranged)
      expect(stage.states.misapplied()).toMatchObject({ pet: '1', bystander: '2' })
      await stage.end()
    }
    await target.close()
    expect(sent).toEqual(wanted)
    expect(stock.get('1')).toBe(left)
    const isLeft = left !== first
    expect(target.unrestored).toEqual(isLeft ? ['1'] : [])
    expect(existsSync(undoPath)).toBe(isLeft)
    expect(target.warnings).toHaveLength(isLeft ? 1 : 0)
    if (!isLeft) return
    expect(target.warnings[0]).toMatch(
      /^the stock of pet 1 was 5 and is \d+ now; it could not be restored: .*\. No further update of it is sent/,
    )
    expect(target.warnings[0]).not.toContain('client')
    expect(JSON.parse(readFileSync(undoPath, 'utf8'))).toMatchObject({ pets: [{ lost: true }] })
  })
})

it.each([
  ['is always an old one', () => true, [14, 5]],
  ['is an old one at the end of the scenario', (stock: Stock) => stock.get('1') === 77, [14, 5, 77, 5]],
])('restores a stock that was changed, even if the list %s', async (_title, isOld, wanted) => {
  const old: Stock = new Map([
    ['1', 5],
    ['2', 5],
  ])
  const { stock, sent, open } = shop(set, 5, now => (isOld(now) ? old : now))
  const { target, undoPath } = await open()
  const { states, store, end } = target.access('a')
  const [pet] = await states.pets(1).catch(() => [])
  if (pet) await store.updateInventory(pet, { quantity: '77' })
  await end()
  expect([sent, stock.get('1')]).toEqual([wanted, 5])
  await target.close()
  expect([sent, stock.get('1'), target.unrestored, target.warnings]).toEqual([wanted, 5, [], []])
  expect(existsSync(undoPath)).toBe(false)
})

it('does not overwrite a value that it did not send, does not use the pet any more, and warns', async () => {
  const { stock, changing } = shop()
  const { target, undoPath, stage } = await changing()
  stock.set('1', 123)
  await stage.end()
  expect(stock.get('1')).toBe(123)
  expect(await nextPets(target)).toBeInstanceOf(NotArranged)
  await target.close()
  expect(stock.get('1')).toBe(123)
  expect(target.warnings).toEqual([
    'the stock of pet 1 was 5 and is 123 now, which this run did not send: the store set another value than it was sent; it was left as it is',
  ])
  expect(target.unrestored).toEqual(['1'])
  expect(existsSync(undoPath)).toBe(true)
})

it('reports a stock that it changed, and that another client changed before it was restored', async () => {
  const { stock, changing } = shop()
  const { target, undoPath, stage } = await changing()
  await stage.states.pets(1)
  stock.set('1', 76)
  await stage.end()
  await target.close()
  expect(stock.get('1')).toBe(76)
  expect(target.warnings).toEqual([
    'another client changes the stock of pet 1: it was 77 and then 76, with no update by this run in between; it was left as it is',
  ])
  expect(target.unrestored).toEqual(['1'])
  expect(existsSync(undoPath)).toBe(true)
})

it('uses a pet to which the units of a cancelled order are added later, and not after other units', async () => {
  const { stock, open } = shop()
  const { target } = await open()
  await target.check()
  const first = target.access('a')
  const [[pet = ''], [order = '']] = await Promise.all([first.states.pets(1), first.states.pendingOrders(1)])
  await first.store.listOrders()
  await first.store.cancelOrder(order)
  await first.store.updateInventory(pet, { quantity: '77' })
  await first.end()
  stock.set('1', 5 + ORDER.quantity)
  const second = target.access('b')
  await expect(second.states.pets(1)).resolves.toEqual(['1'])
  await second.store.updateInventory('1', { quantity: '3' })
  await second.end()
  expect(stock.get('1')).toBe(5 + ORDER.quantity)
  stock.set('1', 5 + ORDER.quantity + 1)
  expect(String(await nextPets(target, 'c'))).toMatch(
    /another client changes the stock of pet 1: it was 9 and then 10/,
  )
  await target.close()
  expect([stock.get('1'), target.unrestored]).toEqual([10, []])
})

it('restores what a killed run left in the journal, and what is not named stays there', async () => {
  const { stock, sent, open } = shop()
  stock.set('1', 99)
  const { target, undoPath } = await open(
    folderWith({ petId: '1', quantity: '5' }, { petId: '3', quantity: '8' }),
  )
  expect(await target.check()).toBeUndefined()
  expect(sent).toEqual([5])
  await target.close()
  expect(stock.get('1')).toBe(5)
  expect(target.warnings).toEqual([
    'the stock of pet 1, which an earlier run had not restored, was restored from 99 to 5',
  ])
  expect(JSON.parse(readFileSync(undoPath, 'utf8')).pets).toEqual([{ petId: '3', quantity: '8' }])
})

it('sends no further update to a pet whose stock an earlier run could not restore', async () => {
  const { stock, sent, open } = shop(adds)
  const folder = folderWith({ petId: '1', quantity: '3' })
  for (const problem of ['the update was answered 200', 'an earlier update that should have restored it']) {
    const { target } = await open(folder)
    await target.check()
    expect(String(await nextPets(target))).toMatch(/could not be restored, so it is not changed again/)
    await target.close()
    expect([sent, stock.get('1')]).toEqual([[3], 8])
    expect(target.unrestored).toEqual(['1'])
    expect(target.warnings).toEqual([expect.stringContaining(problem)])
  }
})

it('two overlapping runs over the same pets restore the stock if the first one ends last', async () => {
  const { stock, open, changing } = shop()
  const one = await changing()
  const other = await open()
  const b = other.target.access('b')
  const [pet = ''] = await b.states.pets(1)
  await b.store.updateInventory(pet, { quantity: '88' })
  await one.stage.end()
  expect(stock.get('1')).toBe(88)
  await b.end()
  await other.target.close()
  expect(stock.get('1')).toBe(77)
  await one.target.close()
  expect(stock.get('1')).toBe(5)
  expect(one.target.warnings).toEqual([])
})
