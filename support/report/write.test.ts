import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { reportWith } from './html/testing/reports.ts'
import { removeReports, writeReports } from './write.ts'

const folder = () => {
  const path = mkdtempSync(join(tmpdir(), 'store-conformance-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

it('what a run has written is removed, and nothing else', () => {
  const at = folder()
  const written = writeReports(reportWith(), at)
  mkdirSync(join(at, 'allure-results'))
  writeFileSync(join(at, 'allure-results', '1-result.json'), '{}')
  for (const name of ['undo.json', 'running.pid', 'selfcheck.json', 'notes.txt'])
    writeFileSync(join(at, name), '')
  removeReports(at)
  expect(written.filter(path => existsSync(path))).toEqual([])
  expect(readdirSync(at).sort()).toEqual(['notes.txt', 'running.pid', 'selfcheck.json', 'undo.json'])
})

it('where there is nothing, nothing is removed', () => {
  expect(() => removeReports(join(folder(), 'none'))).not.toThrow()
})

it('what cannot be removed is said', () => {
  const at = folder()
  mkdirSync(join(at, 'conformance.json'))
  expect(() => removeReports(at)).toThrow()
})
