import { expect, it } from 'vitest'
import { decidedFirst, emptyAnswer } from '../reference/index.ts'
import { bench } from './testing/bench.ts'

const { run, reference } = bench()

/** A store that answers 204 to the cancellation of a shipped order. */
const broken = () =>
  reference({
    overrides: [decidedFirst('answerCancel', met => (met === 'shipped' ? emptyAnswer(204) : undefined))],
  })
const ONLY = ['--only', 'cancel-shipped-409,list-orders-200', '--runs', '2']

it('--failed judges again what did not pass', async () => {
  const { apiKey, baseUrl, statesUrl } = await broken()
  const args = ['--base-url', baseUrl, '--states-url', statesUrl]
  const env = { STORE_API_KEY: apiKey }
  const { folder, rules } = await run([...args, ...ONLY], { env })
  const open = [...rules('failed'), ...rules('cantTell')].sort()
  const again = await run([...args, '--failed', 'reports'], { env, folder })
  expect(again.code).toBe(1)
  expect(
    again
      .report()
      .rules.map(({ id }) => id)
      .sort(),
  ).toEqual(open)
  const passed = await run([...args, '--only', 'list-orders-200'], { env, folder })
  expect(passed.code).toBe(0)
  const none = await run([...args, '--failed', 'reports'], { env, folder })
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('Every rule in reports passed')])
})

it('--repeat reports outcomes that differ between runs', async () => {
  const store = await reference({
    overrides: [
      base => {
        let cancelled = 0
        return {
          answerCancel: (met, ctx) => {
            const answer = base.answerCancel(met, ctx)
            if (met !== 'shipped') return answer
            cancelled += 1
            // A run cancels at most two shipped orders.
            return cancelled > 2 ? { ...answer, status: 204, headers: [] } : answer
          },
        }
      },
    ],
  })
  const args = ['--base-url', store.baseUrl, '--states-url', store.statesUrl, ...ONLY]
  const env = { STORE_API_KEY: store.apiKey }
  const ended = await run([...args, '--repeat', '4'], { env })
  expect(ended.code).toBe(1)
  expect(ended.stdout.split('\n')[0]).toContain(store.baseUrl)
  expect(ended.stdout).toMatch(/^run 4 of 4: /m)
  expect(ended.stdout).toMatch(/^ {2}cancel-shipped-409: (passed|failed) [1-3], (passed|failed) [1-3]$/m)
  expect(ended.stdout).not.toContain('list-orders-200')
  expect(ended.has('reports/conformance.json')).toBe(true)
})

it('--write-expected-failures drafts a file that needs reasons and owners', async () => {
  const { apiKey, baseUrl, statesUrl } = await broken()
  const args = ['--base-url', baseUrl, '--states-url', statesUrl, ...ONLY]
  const env = { STORE_API_KEY: apiKey }
  const ended = await run([...args, '--write-expected-failures', 'known.yaml'], { env })
  expect(ended.code).toBe(1)
  expect(ended.stdout).toMatch(/drafted in known\.yaml: fill in each reason and owner\.$/m)
  const refused = await run([...args, '--expected-failures', 'known.yaml'], { env, folder: ended.folder })
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('reason is empty')])
  const filled = ended
    .read('known.yaml')
    .replaceAll('reason:', 'reason: known')
    .replaceAll('owner:', 'owner: orders')
  const accepted = await run([...args, '--expected-failures', 'known.yaml'], {
    env,
    folder: ended.folder,
    files: { 'known.yaml': filled },
  })
  expect(accepted.code).toBe(0)
  const kept = await run([...args, '--write-expected-failures', 'known.yaml'], { env, folder: ended.folder })
  expect([kept.code, kept.stdout]).toEqual([2, ''])
})
