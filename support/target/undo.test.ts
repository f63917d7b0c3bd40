import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { Misconfigured } from '../judge/outcome.ts'
import { newFolder, writeFiles } from '../wire/testing/folder.ts'
import { undoFiles, undoJournal } from './undo.ts'

const STORE = 'https://store.example/v1'
let path: string
beforeEach(() => {
  path = join(newFolder(), 'reports', 'undo.json')
})
const onDisk = () => JSON.parse(readFileSync(path, 'utf8'))
const leave = (content: unknown) =>
  writeFiles(dirname(path), { 'undo.json': typeof content === 'string' ? content : JSON.stringify(content) })
const file = (baseUrl: string, ...pets: [string, string][]) => ({
  format: 'store-conformance-undo/1',
  baseUrl,
  pets: pets.map(([petId, quantity]) => ({ petId, quantity })),
})

it('holds exact old values as soon as they are remembered, until they are restored', () => {
  const journal = undoJournal(path, STORE)
  journal.remember({ petId: '9007199254740993', quantity: '18446744073709551616' })
  const exact = file(STORE, ['9007199254740993', '18446744073709551616'])
  expect(onDisk()).toEqual(exact)
  journal.remember({ petId: '12.50', quantity: '0' })
  expect(onDisk().pets).toHaveLength(2)
  journal.forget('12.5')
  expect(onDisk()).toEqual(exact)
  journal.forget('9007199254740993')
  expect(existsSync(path)).toBe(false)
  expect(journal.open).toEqual([])
})

it('keeps what an earlier run has left', () => {
  undoJournal(path, STORE).remember({ petId: '12.5', quantity: '5' })
  const next = undoJournal(path, STORE)
  expect(next.of('12.50')).toEqual({ petId: '12.5', quantity: '5' })
  next.remember({ petId: '2', quantity: '6' })
  expect(onDisk()).toEqual(file(STORE, ['12.5', '5'], ['2', '6']))
})

it('gives up a pet for this run even if the file cannot be written', () => {
  const journal = undoJournal(path, STORE)
  journal.remember({ petId: '1', quantity: '5' })
  mkdirSync(join(`${path}.new`, 'in the way'), { recursive: true })
  journal.giveUp('1.0')
  expect(journal.open).toEqual([{ petId: '1', quantity: '5', lost: true }])
})

describe('a file that is not ours to overwrite', () => {
  it('of another store stays, and the run has one beside it', () => {
    leave(file('https://other.example/v1', ['1', '5']))
    undoJournal(path, STORE).remember({ petId: '1', quantity: '9' })
    expect(onDisk()).toEqual(file('https://other.example/v1', ['1', '5']))
    expect(undoFiles(dirname(path)).map(({ left }) => left)).toEqual([
      file(STORE, ['1', '9']),
      file('https://other.example/v1', ['1', '5']),
    ])
    undoJournal(path, STORE).forget('1')
    expect(readdirSync(dirname(path))).toEqual(['undo.json'])
  })

  it.each<readonly [string, unknown]>([
    ['that is not JSON', '{"format":'],
    ['with a quantity that is not a number', { ...file(STORE), pets: [{ petId: '1', quantity: 'many' }] }],
    ['that names a pet twice', file(STORE, ['1', '5'], ['1.0', '6'])],
    // Else it would reach the terminal.
    ['with a line break in the address', file('https://store.example/v1\n::error::x', ['1', '5'])],
    // Else it would become part of a path.
    ...['../store/orders/1001', '501?x=1#', '%35', '', '5\n'].map(
      petId => [`with ${JSON.stringify(petId)} as petId`, file(STORE, [petId, '5'])] as const,
    ),
  ])('%s stays, and stops the run', (_title, content) => {
    leave(content)
    const before = readFileSync(path, 'utf8')
    expect(() => undoJournal(path, STORE)).toThrow(Misconfigured)
    expect(() => undoJournal(path, STORE)).toThrow(/undo\.json that records the stock to restore, but cannot/)
    expect(readFileSync(path, 'utf8')).toBe(before)
  })
})

it.each(['undo.json', 'undo.json.new'])('never follows a link at %s', name => {
  const target = join(newFolder(), 'precious')
  writeFileSync(target, JSON.stringify(file(STORE, ['7', '7'])))
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, join(dirname(path), name))
  const remember = () => undoJournal(path, STORE).remember({ petId: '1', quantity: '5' })
  if (name === 'undo.json') expect(remember).toThrow(Misconfigured)
  else remember()
  expect(JSON.parse(readFileSync(target, 'utf8'))).toEqual(file(STORE, ['7', '7']))
})
