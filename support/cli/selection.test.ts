import { describe, expect, it } from 'vitest'
import { report, rule } from '../report/testing/fixtures.ts'
import { bench } from './testing/bench.ts'

const { run, plain, reference } = bench()
const one = ['--only', 'list-orders-200']

describe.concurrent('which rules are judged, and decide', () => {
  it('with a failure, a selection is nonconformant, else partial; --failed judges again what did not pass', async () => {
    const { env } = await reference({ faults: ['shipped-cancelled'] })
    const failing = await run(['--only', 'cancel-shipped-4??', ...one, '--runs', '2'], { env })
    expect(failing.code).toBe(1)
    expect(failing.rules('failed')).toContain('cancel-shipped-409')
    const { folder } = failing
    const again = await run(['--failed', 'reports'], { env, folder })
    expect([again.code, again.report().rules.map(({ id }) => id)]).toEqual([1, ['cancel-shipped-409']])
    const without = await run([...one, '--only', 'cancel-shipped-4??', '--skip', 'cancel-*'], { env, folder })
    expect([without.code, without.report().verdict]).toEqual([0, 'partial'])
    expect(without.report().rules.map(({ id }) => id)).toEqual(['list-orders-200'])
    const none = await run(['--failed', 'reports'], { env, folder })
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('Every rule in reports passed')])
  })

  it('--failed does not say that every rule passed if this version has none of those that did not', async () => {
    const files = { 'old.json': JSON.stringify(report([rule('removed-rule', 'failed')])) }
    const ended = await run(['--failed', 'old.json'], { files })
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain('has none of the rules that did not pass in old.json')
  })

  it('--repeat reports outcomes that differ between runs', async () => {
    let cancelled = 0
    const store = await plain({
      intercept({ method, url = '', headers }, response) {
        if (method !== 'DELETE' || !/\/20[12]$/.test(url) || !headers.authorization) return false
        cancelled += 1
        // A run cancels at most two shipped orders.
        if (cancelled <= 2) return false
        response.writeHead(204).end()
        return true
      },
    })
    const args = ['--only', 'cancel-shipped-409,list-orders-200', '--repeat', '4']
    const ended = await run(args, { env: { ...store.env, STORE_SHIPPED_ORDERS: '201,202' } })
    expect(ended.code).toBe(1)
    expect(ended.stdout.split('\n')[0]).toContain(store.baseUrl)
    expect(ended.stdout).toMatch(/^run 4 of 4: /m)
    expect(ended.stdout).toMatch(/^ {2}cancel-shipped-409: (passed|failed) [1-3], (passed|failed) [1-3]$/m)
    expect(ended.stdout).not.toContain('list-orders-200')
  })

  it('--repeat prints and writes the reports of the run with the worst verdict, although a later one is better', async () => {
    let cancelled = 0
    const store = await plain({
      intercept({ method, url = '', headers }, response) {
        if (method !== 'DELETE' || !url.endsWith('/201') || !headers.authorization) return false
        cancelled += 1
        if (cancelled > 1) return false
        response.writeHead(204).end()
        return true
      },
    })
    const args = ['--only', 'cancel-shipped-409', '--repeat', '2']
    const ended = await run(args, { env: { ...store.env, STORE_SHIPPED_ORDERS: '201' } })
    expect(ended.stdout).toMatch(/^run 1 of 2: nonconformant, .*\nrun 2 of 2: partial, /m)
    expect([ended.code, ended.report().verdict, ended.rules('failed')]).toEqual([
      1,
      'nonconformant',
      ['cancel-shipped-409'],
    ])
    expect(ended.read('reports/junit.xml')).toContain('failures="1"')
    expect(ended.stdout).toMatch(/^Run 1 decides[\s\S]*^✗ Not met: [\s\S]*^Not conformant: /m)
  })

  it('--repeat ends with the worst verdict: a second run without the named orders is incomplete', async () => {
    const { env, states } = await reference()
    const { orderIds = [] } = states.setup('pending orders', { count: 3 })
    const args = ['--only', 'cancel-pending-204', '--repeat', '2', '--pending-orders', orderIds.join()]
    const ended = await run(args, { env: { ...env, STORE_STATES_URL: '' } })
    expect(ended.stdout).toMatch(/^run 1 of 2: partial, .*\nrun 2 of 2: incomplete, /m)
    expect(ended.stdout).toContain('cancel-pending-204: passed 1, untested 1')
    expect(ended.code).toBe(3)
  })
})
