import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { newFolder } from '../wire/testing/folder.ts'
import { reportWith } from './testing/fixtures.ts'
import { removeReports, writeReports } from './write.ts'

it('removes only the files that a run has written, and throws if one cannot be removed', () => {
  const at = newFolder()
  const written = writeReports(reportWith(), at)
  mkdirSync(join(at, 'allure-results'))
  writeFileSync(join(at, 'allure-results', '1-result.json'), '{}')
  for (const name of ['undo.json', 'running.pid', 'selfcheck.json', 'notes.txt'])
    writeFileSync(join(at, name), '')
  removeReports(at)
  expect(written.filter(path => existsSync(path))).toEqual([])
  expect(readdirSync(at).sort()).toEqual(['notes.txt', 'running.pid', 'selfcheck.json', 'undo.json'])
  expect(() => removeReports(join(at, 'none'))).not.toThrow()
  mkdirSync(join(at, 'conformance.json'))
  expect(() => removeReports(at)).toThrow()
})

it('writes each file completely or not at all, by renaming a temporary file', () => {
  const at = newFolder()
  writeReports(reportWith(), at)
  expect(readdirSync(at).filter(name => name.endsWith('.partial'))).toEqual([])
  const blocked = newFolder()
  mkdirSync(join(blocked, 'junit.xml', 'a folder in its place'), { recursive: true })
  expect(() => writeReports(reportWith(), blocked)).toThrow()
  expect(readdirSync(blocked).filter(name => name.endsWith('.partial'))).toEqual([])
  writeFileSync(join(at, '.junit.xml.partial'), 'of a run that was killed')
  removeReports(at)
  expect(readdirSync(at)).toEqual([])
})
