import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const script = fileURLToPath(new URL('./report.mjs', import.meta.url))

test('npm run report makes a page that opens from disk and loads nothing, with the history of the runs', {
  timeout: 180_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'store-conformance-'))
  const { PATH, HOME } = process.env
  const report = (filter: string) =>
    promisify(execFile)(process.execPath, [script, filter], { cwd: folder, env: { PATH, HOME } })
  await report('suites/list-inventory')
  const { stdout } = await report('suites/list-inventory')
  const reports = join(folder, 'reports')
  expect(stdout.trimEnd().endsWith(join('reports', 'allure-report', 'index.html'))).toBe(true)
  expect(readFileSync(join(reports, 'history.jsonl'), 'utf8').trim().split('\n')).toHaveLength(2)
  const page = readFileSync(join(reports, 'allure-report', 'index.html'), 'utf8')
  expect(page).not.toMatch(/<(script|link|img)[^>]*\s(src|href)="https?:/)
  expect(page).toContain('Store conformance')

  await expect(report('suites/no-such-folder')).rejects.toMatchObject({ code: 1 })
  expect(readdirSync(reports)).not.toContain('allure-results')
  rmSync(folder, { recursive: true })
})
