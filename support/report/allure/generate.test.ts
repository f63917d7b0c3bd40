import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { bench } from '../../cli/testing/bench.ts'

const { run, reference } = bench()
const script = fileURLToPath(new URL('./generate.mjs', import.meta.url))
const generate = (folder: string) => promisify(execFile)(process.execPath, [script, folder])

interface Result {
  readonly historyId: string
  readonly labels: readonly { readonly name: string; readonly value: string }[]
  readonly links: readonly { readonly url: string }[]
  readonly attachments: readonly { readonly type: string; readonly source: string }[]
  readonly description: string
}

test('makes a report that opens from disk and loads nothing, with the history of the runs', {
  timeout: 180_000,
}, async () => {
  const { apiKey, baseUrl, statesUrl } = await reference({
    overrides: [() => ({ judgeCancel: () => 'pending' })],
  })
  const args = ['--base-url', baseUrl, '--states-url', statesUrl, '--runs', '10', '--only', 'cancelOrder']
  const env = { STORE_API_KEY: apiKey }
  const ended = await run(args, { env })
  const reports = join(ended.folder, 'reports')
  const results = readdirSync(join(reports, 'allure-results'))
    .filter(name => name.endsWith('-result.json'))
    .map(name => JSON.parse(readFileSync(join(reports, 'allure-results', name), 'utf8')) as Result)
  expect(results).toHaveLength(ended.report().rules.length)

  const shipped = results.find(({ historyId }) => historyId === 'cancel-shipped-409')
  expect(Object.fromEntries(shipped?.labels.map(({ name, value }) => [name, value]) ?? [])).toMatchObject({
    epic: 'Store Service Interface',
    feature: 'cancelOrder',
    story: 'cancel-order',
    severity: 'critical',
    level: 'required',
    clause: '4.2/409',
    outcome: 'failed',
  })
  expect(shipped?.links[0]?.url).toBe('../conformance.html#clause-4.2/409')
  const waiting = results.find(({ labels }) => labels.some(({ value }) => value === 'cantTell'))
  expect(waiting?.description).toMatch(/\*\*Could not be determined\*\*: .*must hold first/)
  // Each result has at most one attachment, in JSON, with a few of the generated cases.
  for (const { attachments } of results) {
    expect(attachments.length).toBeLessThanOrEqual(1)
    for (const { type, source } of attachments) {
      expect(type).toBe('application/json')
      JSON.parse(readFileSync(join(reports, 'allure-results', source), 'utf8'))
    }
  }

  await generate(reports)
  await run(args, { env, folder: ended.folder })
  await generate(reports)
  expect(readFileSync(join(reports, 'history.jsonl'), 'utf8').trim().split('\n')).toHaveLength(2)
  const page = readFileSync(join(reports, 'allure-report', 'index.html'), 'utf8')
  expect(page).not.toMatch(/<(script|link|img)[^>]*\s(src|href)="https?:/)
  expect(page).toContain('Store conformance')
})

test('names a missing folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'no-results-'))
  await expect(generate(folder)).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('npm run'),
  })
  rmSync(folder, { recursive: true })
})
