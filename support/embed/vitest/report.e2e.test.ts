import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { project, spawned } from '../../cli/testing/bench.ts'
import { newFolder } from '../../wire/testing/folder.ts'

test('npm run report makes a page that opens from disk and loads nothing, with the history of the runs', async () => {
  const folder = newFolder()
  const report = (filter: string) =>
    spawned(process.execPath, [join(project, 'support/embed/vitest/report.mjs'), filter], {
      folder,
      // CI systems set an undefined variable to an empty text.
      env: { STORE_REPORTS_DIR: '' },
    })
  const read = (name: string) => readFileSync(join(folder, 'reports', name), 'utf8')
  await report('suites/list-inventory')
  const { stdout } = await report('suites/list-inventory')
  expect(stdout.trimEnd().endsWith('reports/allure-report/index.html')).toBe(true)
  expect(read('history.jsonl').trim().split('\n')).toHaveLength(2)
  const page = read('allure-report/index.html')
  expect(page).not.toMatch(/<(script|link|img)[^>]*\s(src|href)="https?:/)
  expect(page).toContain('Store conformance')

  expect((await report('suites/no-such-folder')).code).toBe(1)
  expect(existsSync(join(folder, 'reports/allure-results'))).toBe(false)
})
