import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { Misconfigured } from '../interface/verdict.ts'
import { newFolder, writeFiles } from '../wire/testing/folder.ts'
import { undoFiles, undoJournal } from './undo.ts'

const STORE = 'https://store.example/v1'
const newPath = () => join(newFolder(), 'reports', 'undo.json')
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
const file = (baseUrl: string, ...pets: [string, string][]) => ({
  format: 'store-conformance-undo/1',
  baseUrl,
  pets: pets.map(([petId, quantity]) => ({ petId, quantity })),
})
/** A path with such a file. */
const leave = (content: unknown): string => {
  const path = newPath()
  writeFiles(dirname(path), { 'undo.json': typeof content === 'string' ? content : JSON.stringify(content) })
  return path
}

it('holds exact old values as soon as they are remembered, also those of an earlier run, until they are restored', () => {
  const path = newPath()
  undoJournal(path, STORE).remember({ petId: '9007199254740993', quantity: '18446744073709551616' })
  const exact = file(STORE, ['9007199254740993', '18446744073709551616'])
  expect(read(path)).toEqual(exact)
  const next = undoJournal(path, STORE)
  next.remember({ petId: '12.50', quantity: '0' })
  expect([read(path).pets.length, next.of('125e-1')]).toEqual([2, { petId: '12.50', quantity: '0' }])
  // Given up for this run even if the file cannot be written.
  mkdirSync(join(`${path}.new`, 'in the way'), { recursive: true })
  next.giveUp('12.5')
  expect(next.of('12.5')).toEqual({ petId: '12.50', quantity: '0', lost: true })
  const last = undoJournal(leave(exact), STORE)
  last.forget('9007199254740993.0')
  expect(last.open).toEqual([])
})

it('a file of another store stays, and the run has one beside it', () => {
  const other = file('https://other.example/v1', ['1', '5'])
  const path = leave(other)
  undoJournal(path, STORE).remember({ petId: '1', quantity: '9' })
  expect(read(path)).toEqual(other)
  expect(undoFiles(dirname(path)).map(({ left }) => left)).toEqual([file(STORE, ['1', '9']), other])
  undoJournal(path, STORE).forget('1')
  expect(readdirSync(dirname(path))).toEqual(['undo.json'])
})

it.each<readonly [string, unknown]>([
  ['that is not JSON', '{"format":'],
  ['with a quantity that is not a number', { ...file(STORE), pets: [{ petId: '1', quantity: 'many' }] }],
  // Else it would reach the terminal.
  ['with a line break in the address', file('https://store.example/v1\n::error::x', ['1', '5'])],
  // Else it would become part of a path.
  ...['../store/orders/1001', '501?x=1#', '%35', '', '5\n'].map(
    petId => [`with ${JSON.stringify(petId)} as petId`, file(STORE, [petId, '5'])] as const,
  ),
])('a file %s stays, and stops the run', (_title, content) => {
  const path = leave(content)
  const before = readFileSync(path, 'utf8')
  expect(() => undoJournal(path, STORE)).toThrow(Misconfigured)
  expect(() => undoJournal(path, STORE)).toThrow(/records the stock to restore, but cannot be read/)
  expect(readFileSync(path, 'utf8')).toBe(before)
})

it.each(['undo.json', 'undo.json.new'])('never follows a link at %s', name => {
  const [path, target] = [newPath(), join(newFolder(), 'precious')]
  writeFileSync(target, JSON.stringify(file(STORE, ['7', '7'])))
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, join(dirname(path), name))
  const remember = () => undoJournal(path, STORE).remember({ petId: '1', quantity: '5' })
  if (name === 'undo.json') expect(remember).toThrow(Misconfigured)
  else remember()
  expect([read(target), existsSync(path)]).toEqual([file(STORE, ['7', '7']), true])
})
