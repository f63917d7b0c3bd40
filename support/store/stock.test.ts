import { describe, expect, it } from 'vitest'
import type { WireRequest } from '../http/transport.ts'
import { readStock, restoreStock } from './stock.ts'
import { clientTo, type FakeReply, fakeStore, json } from './testing/parts.ts'
import { undoJournal } from './undo.ts'

describe('the stock', () => {
  it.each([
    ['no JSON', json('[{')],
    ['no answer', { kind: 'timeout', message: 'late' } as FakeReply],
  ])('is unknown if the response is %s', async (_title, reply) => {
    expect(await readStock(clientTo(fakeStore(() => reply)).client, 'now')).toBeUndefined()
  })
})

/** A store with one pet in it. */
function shop(quantity: number, updates: (request: WireRequest) => boolean = () => true) {
  let stock = quantity
  const store = fakeStore(request => {
    if (request.method === 'PATCH') {
      if (!updates(request)) return json({ code: 'no', message: 'no', status: 500 }, 500)
      stock = JSON.parse(String(request.body)).quantity
    }
    return json([{ petId: 1, quantity: stock, status: 'available' }])
  })
  const { client, permission } = clientTo(store)
  permission.pet.grant('1')
  permission.pet.grant('2')
  return { store, client, stock: () => stock }
}
const journalOf = (...pets: [string, string][]) => {
  const journal = undoJournal(undefined, 'https://store.test/v1')
  for (const [pet, quantity] of pets) journal.remember(pet, quantity)
  return journal
}

describe('putting back', () => {
  it('keeps a stock that cannot be restored in the journal, and reports it', async () => {
    const { client } = shop(99, () => false)
    const journal = journalOf(['1', '5'])
    expect(await restoreStock(client, journal, ['1'])).toEqual([
      {
        petId: '1',
        state: 'refused',
        problem:
          'the stock of pet 1 was 5 and is 99 now; it could not be restored: the update was answered 500',
      },
    ])
    expect(journal.open).toEqual([{ petId: '1', quantity: '5' }])
  })

  it('trusts the list and not a 200', async () => {
    const store = fakeStore(() => json([{ petId: 1, quantity: 99 }]))
    const { client, permission } = clientTo(store)
    permission.pet.grant('1')
    const journal = journalOf(['1', '5'])
    expect(await restoreStock(client, journal, ['1'])).toHaveLength(1)
    expect(journal.open).toHaveLength(1)
  })

  it('keeps the entry in the journal if the store does not answer', async () => {
    const { client, permission } = clientTo(fakeStore(() => ({ kind: 'timeout', message: 'late' })))
    permission.pet.grant('1')
    const journal = journalOf(['1', '5'])
    expect(await restoreStock(client, journal, ['1'])).toEqual([
      {
        petId: '1',
        state: 'refused',
        problem:
          'the stock of pet 1 was 5 and is unknown now; it could not be restored: the update was answered nothing',
      },
    ])
    expect(journal.open).toHaveLength(1)
  })

  it('restores the other pets if one fails', async () => {
    const { client, stock } = shop(99, request => request.target.endsWith('/1'))
    const left = await restoreStock(client, journalOf(['2', '7'], ['1', '5']), ['1', '2'])
    expect(stock()).toBe(5)
    expect(left.map(({ problem }) => problem)).toEqual([
      'the stock of pet 2 was 7 and is unknown now; it could not be restored: the update was answered 500',
    ])
  })

  it('sends many at once, and writes the journal once', async () => {
    const { client, permission } = clientTo(fakeStore(({ method }) => json(method === 'GET' ? stocked : {})))
    const ids = Array.from({ length: 2_000 }, (_, at) => String(at + 1))
    const stocked = ids.map(petId => ({ petId: Number(petId), quantity: 5 }))
    for (const id of ids) permission.pet.grant(id)
    const pets = ids.map(petId => ({ petId, quantity: '5' }))
    const written: number[] = []
    const journal = {
      ...journalOf(),
      open: pets,
      forget: (gone: readonly string[]) => void written.push(gone.length),
    }
    let sent = 0
    expect(await restoreStock(client, journal, ids, count => (sent = count))).toEqual([])
    expect([sent, written]).toEqual([2_000, [2_000]])
  })
})
