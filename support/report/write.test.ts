import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { newFolder } from '../wire/testing/folder.ts'
import { reportWith } from './testing/fixtures.ts'
import { removeReports, writeReports } from './write.ts'

it('removes only the files that a run has written, and throws if one cannot be removed', () => {
  const others = { 'undo.json': '', 'running.pid': '', 'selfcheck.json': '', 'notes.txt': '' }
  const at = newFolder({ ...others, 'allure-results/1-result.json': '{}', '.junit.xml.partial': 'killed' })
  const written = writeReports(reportWith(), at)
  removeReports(at)
  expect(written.filter(path => existsSync(path))).toEqual([])
  expect(readdirSync(at).sort()).toEqual(Object.keys(others).sort())
  expect(() => removeReports(join(at, 'none'))).not.toThrow()
  mkdirSync(join(at, 'conformance.json'))
  expect(() => removeReports(at)).toThrow()
})

it('writes each file completely or not at all, by renaming a temporary file', () => {
  const at = newFolder({ 'junit.xml/a folder in its place': '', '.conformance.json.partial': 'killed' })
  expect(() => writeReports(reportWith(), at)).toThrow()
  expect(readdirSync(at).filter(name => name.endsWith('.partial'))).toEqual([])
})
