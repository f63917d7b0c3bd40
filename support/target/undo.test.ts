import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { Misconfigured } from '../interface/verdict.ts'
import { newFolder } from '../wire/testing/folder.ts'
import { setAside, undoFiles, undoJournal } from './undo.ts'

const STORE = 'https://store.example/v1'
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
const file = (petId: string, quantity: string, baseUrl = STORE) => ({
  format: 'store-conformance-undo/1',
  baseUrl,
  pets: [{ petId, quantity }],
})

it('holds exact old values as soon as they are remembered, until they are restored', () => {
  const path = join(newFolder(), 'reports', 'undo.json')
  const journal = undoJournal(path, STORE)
  journal.remember({ petId: '9007199254740993', quantity: '18446744073709551616' })
  expect(read(path)).toEqual(file('9007199254740993', '18446744073709551616'))
  journal.remember({ petId: '12.50', quantity: '0' })
  expect([read(path).pets.length, journal.of('125e-1')]).toEqual([2, { petId: '12.50', quantity: '0' }])
  journal.forget('9007199254740993.0')
  journal.forget('12.5')
  expect(existsSync(path)).toBe(false)
})

it('what each earlier run left changed is set aside in a file of its own, and listed with the oldest last', () => {
  const folder = newFolder()
  const path = join(folder, 'undo.json')
  expect(setAside(path)).toBe(undefined)
  for (const quantity of ['5', '6', '7']) {
    undoJournal(path, STORE).remember({ petId: '1', quantity })
    expect(setAside(path)).toMatch(/ restore --base-url https:\/\/store\.example\/v1 --out \/\S+$/)
  }
  expect(undoFiles(folder).map(({ pets }) => pets[0]?.quantity)).toEqual(['7', '6', '5'])
})

const DAMAGED = /^\S+undo\.json records the stock to restore, but cannot be read: .*Nothing was sent/
it.each<readonly [string, unknown]>([
  ['that is not JSON', '{"format":'],
  ['with a quantity that is not a number', file('1', 'many')],
  // Else it would reach the terminal.
  ['with a line break in the address', file('1', '5', 'https://store.example/v1\n::error::x')],
  // Else it would become part of a path.
  ...['../store/orders/1001', '501?x=1#', '%35', '', '5\n'].map(
    petId => [`with ${JSON.stringify(petId)} as petId`, file(petId, '5')] as const,
  ),
])('a file %s stays, and no run begins', (_title, content) => {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  const path = join(newFolder({ 'undo.json': text }), 'undo.json')
  expect(() => setAside(path)).toThrow(Misconfigured)
  expect(() => setAside(path)).toThrow(DAMAGED)
  expect(readFileSync(path, 'utf8')).toBe(text)
})

it.each(['undo.json', 'undo.json.new'])('never follows a link at %s', name => {
  const [path, target] = [join(newFolder(), 'undo.json'), join(newFolder(), 'precious')]
  writeFileSync(target, JSON.stringify(file('7', '7')))
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, join(dirname(path), name))
  if (name === 'undo.json') expect(() => setAside(path)).toThrow(DAMAGED)
  else undoJournal(path, STORE).remember({ petId: '1', quantity: '5' })
  expect([read(target), existsSync(path)]).toEqual([file('7', '7'), true])
})
