import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { WireRequest } from '../http/transport.ts'
import { Misconfigured } from '../judge/outcome.ts'
import { clientTo, type FakeReply, fakeStore, json } from './testing/parts.ts'
import { readUndo, restoreStock, stockIn, undoFiles, undoJournal } from './undo.ts'

const STORE = 'https://store.example/v1'
let path: string
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'store-conformance-')), 'reports', 'undo.json')
})
const onDisk = () => JSON.parse(readFileSync(path, 'utf8'))
const leave = (content: unknown) => {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
}
const file = (baseUrl: string, ...pets: [string, string][]) => ({
  format: 'store-conformance-undo/1',
  baseUrl,
  pets: pets.map(([petId, quantity]) => ({ petId, quantity })),
})

describe('the undo file', () => {
  it('holds the old value as soon as it is remembered, with exact ids and quantities', () => {
    const journal = undoJournal(path, STORE)
    journal.remember('9007199254740993', '18446744073709551616')
    expect(onDisk()).toEqual(file(STORE, ['9007199254740993', '18446744073709551616']))
    journal.remember('12.50', '0')
    expect(onDisk().pets).toHaveLength(2)
  })

  it('loses restored entries, and is removed with the last one', () => {
    const journal = undoJournal(path, STORE)
    journal.remember('1', '5')
    journal.remember('2', '6')
    journal.forget(['1.0'])
    expect(onDisk()).toEqual(file(STORE, ['2', '6']))
    journal.forget(['2'])
    expect(existsSync(path)).toBe(false)
    expect(journal.open).toEqual([])
  })
})

describe('the first value is kept', () => {
  it('within a run', () => {
    const journal = undoJournal(path, STORE)
    journal.remember('12.5', '5')
    journal.remember('12.50', '9')
    expect(journal.open).toEqual([{ petId: '12.5', quantity: '5' }])
  })

  it('after a crash', () => {
    undoJournal(path, STORE).remember('1', '5')
    const next = undoJournal(path, STORE)
    next.remember('1', '9')
    next.remember('2', '6')
    expect(onDisk()).toEqual(file(STORE, ['1', '5'], ['2', '6']))
  })
})

it('fails each time that the file cannot be written, so that no change is sent', () => {
  mkdirSync(join(path, '..', 'undo.json.new', 'in the way'), { recursive: true })
  const journal = undoJournal(path, STORE)
  expect(() => journal.remember('1', '5')).toThrow()
  expect(() => journal.remember('1', '5')).toThrow()
  expect(journal.open).toEqual([])
  rmSync(`${path}.new`, { recursive: true })
  journal.remember('1', '5')
  expect(onDisk()).toEqual(file(STORE, ['1', '5']))
})

describe('a file that is not ours to overwrite', () => {
  it('of another store stays, and the run has one beside it', () => {
    leave(file('https://other.example/v1', ['1', '5']))
    undoJournal(path, STORE).remember('1', '9')
    expect(onDisk()).toEqual(file('https://other.example/v1', ['1', '5']))
    expect(undoFiles(dirname(path)).map(({ left }) => left)).toEqual([
      file(STORE, ['1', '9']),
      file('https://other.example/v1', ['1', '5']),
    ])
    undoJournal(path, STORE).forget(['1'])
    expect(readdirSync(dirname(path))).toEqual(['undo.json'])
  })

  it.each([
    ['that is not JSON', '{"format":'],
    ['with a quantity that is not a number', { ...file(STORE), pets: [{ petId: '1', quantity: 'many' }] }],
    ['that names a pet twice', file(STORE, ['1', '5'], ['1.0', '6'])],
  ])('%s stays, and stops the run', (_title, content) => {
    leave(content)
    const before = readFileSync(path, 'utf8')
    expect(() => undoJournal(path, STORE)).toThrow(Misconfigured)
    expect(() => undoJournal(path, STORE)).toThrow(/undo journal.*it is damaged \(.*undo\.json/)
    expect(() => readUndo(path)).toThrow()
    expect(readFileSync(path, 'utf8')).toBe(before)
  })
})

it.each(['../store/orders/1001', '501?x=1#', '%35', '', '5\n'])(
  'a journal with %j as petId is damaged, so it never becomes part of a path',
  petId => {
    leave(file(STORE, [petId, '5']))
    expect(() => undoJournal(path, STORE)).toThrow(/it is damaged \(.*undo\.json/)
    expect(() => readUndo(path)).toThrow()
  },
)

it('notes if the run ended, until the next change', () => {
  const journal = undoJournal(path, STORE)
  journal.remember('1', '5')
  journal.end()
  expect(onDisk()).toEqual({ ...file(STORE, ['1', '5']), ended: true })
  undoJournal(path, STORE).remember('2', '5')
  expect(onDisk()).toEqual(file(STORE, ['1', '5'], ['2', '5']))
})

it('notes which pet gets no further update, and still that the run ended', () => {
  const journal = undoJournal(path, STORE)
  journal.remember('1', '5')
  journal.remember('2', '6')
  journal.end()
  const next = undoJournal(path, STORE)
  next.giveUp('1.0')
  next.forget(['2'])
  expect(onDisk()).toEqual({
    ...file(STORE),
    ended: true,
    pets: [{ petId: '1', quantity: '5', lost: true }],
  })
})

it.each(['undo.json', 'undo.json.new'])('never follows a link at %s', name => {
  const target = join(mkdtempSync(join(tmpdir(), 'store-conformance-')), 'precious')
  writeFileSync(target, JSON.stringify(file(STORE, ['7', '7'])))
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, join(dirname(path), name))
  const remember = () => undoJournal(path, STORE).remember('1', '5')
  if (name === 'undo.json') expect(remember).toThrow(Misconfigured)
  else remember()
  expect(JSON.parse(readFileSync(target, 'utf8'))).toEqual(file(STORE, ['7', '7']))
})

describe('the stock', () => {
  it.each([
    ['no JSON', json('[{')],
    ['no answer', { kind: 'timeout', message: 'late' } as FakeReply],
  ])('is unknown if the response is %s', async (_title, reply) => {
    const { response } = await clientTo(fakeStore(() => reply)).client.listInventory()
    expect(stockIn(response)).toBeUndefined()
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
  it('keeps the entry in the journal if the store does not answer', async () => {
    const { client, permission } = clientTo(fakeStore(() => ({ kind: 'timeout', message: 'late' })))
    permission.pet.grant('1')
    const journal = journalOf(['1', '5'])
    expect(await restoreStock(client, journal, ['1'])).toMatchObject([
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

  it('updates one pet after the other, and writes the journal once', async () => {
    const fake = fakeStore(({ method }) => json(method === 'GET' ? stocked : {}))
    const { client, permission } = clientTo(fake)
    const ids = ['1', '2', '3']
    const stocked = ids.map(petId => ({ petId: Number(petId), quantity: 5 }))
    for (const id of ids) permission.pet.grant(id)
    const written: number[] = []
    const journal = {
      ...journalOf(),
      open: ids.map(petId => ({ petId, quantity: '5' })),
      forget: (gone: readonly string[]) => void written.push(gone.length),
    }
    const sent: number[] = []
    expect(await restoreStock(client, journal, ids, () => void sent.push(fake.requests.length))).toEqual([])
    expect([sent, written]).toEqual([[1, 2, 3], [3]])
  })
})
