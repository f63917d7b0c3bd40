import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { report, rule } from '../report/testing/fixtures.ts'
import { bench } from './testing/bench.ts'

const { run, reference } = bench()
const one = ['--only', 'list-orders-200']

describe.concurrent('which rules are judged, and decide', () => {
  it('with a failure, a selection is nonconformant, else partial; --failed judges again what did not pass', async () => {
    const { env } = await reference({ faults: ['shipped-cancelled'] })
    const failing = await run(['run', '--only', 'cancel-shipped-4??', ...one], { env })
    expect(failing.code).toBe(1)
    expect(failing.rules('failed')).toContain('cancel-shipped-409')
    const { folder } = failing
    const again = await run(['run', '--failed', 'reports'], { env, folder })
    expect([again.code, again.report().rules.map(({ id }) => id)]).toEqual([1, ['cancel-shipped-409']])
    const without = await run(['run', ...one, '--only', 'cancel-shipped-4??', '--skip', 'cancel-*'], {
      env,
      folder,
    })
    expect([without.code, without.report().verdict]).toEqual([0, 'partial'])
    expect(without.report().rules.map(({ id }) => id)).toEqual(['list-orders-200'])
    const none = await run(['run', '--failed', 'reports'], { env, folder })
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('Every rule in reports passed')])
  })

  it('a selection leaves the reports of a whole run as they are', async () => {
    const { env } = await reference()
    const files = { 'reports/conformance.json': 'of a whole run' }
    const ended = await run(['run', ...one], { env, files })
    expect(readFileSync(join(ended.folder, 'reports/conformance.json'), 'utf8')).toBe('of a whole run')
    expect(ended.stdout).toMatch(/Reports: reports\/selection\/conformance\.html;/)
    expect(ended.report().verdict).toBe('partial')
  })

  it('--failed does not say that every rule passed if this version has none of those that did not', async () => {
    const files = { 'old.json': JSON.stringify(report([rule('removed-rule', 'failed')])) }
    const ended = await run(['run', '--failed', 'old.json'], { files })
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain('has none of the rules that did not pass in old.json')
  })
})
