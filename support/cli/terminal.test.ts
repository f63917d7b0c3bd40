import { describe, expect, it } from 'vitest'
import { thirdChanged } from '../reference/index.ts'
import { bench } from './testing/bench.ts'
import { named } from './testing/store.ts'

const { run, plain, reference } = bench()
const ESCAPE = '\u001b['

describe.concurrent('output on the terminal', () => {
  it('a violation: title, level, clause, expected and got, the request, and the command to repeat it', async () => {
    const store = await reference({ overrides: [thirdChanged('entryMembers', { status: '7' })] })
    const args = ['--base-url', store.baseUrl, '--seed', '42', '--states-url', store.statesUrl]
    const ended = await run([...args, '--only', 'inventory-*,list-orders-200'], {
      env: { STORE_API_KEY: store.apiKey },
    })
    expect(ended.code).toBe(1)
    const { rules } = ended.report()
    const failed = rules.filter(({ outcome, level }) => outcome === 'failed' && level !== 'advisory')
    expect(failed.map(({ id }) => id)).toEqual(['inventory-status-string'])
    const { stdout } = ended
    expect(stdout).toMatch(/^✗ listInventory +\d+ passed, .*1 failed$/m)
    expect(stdout).toMatch(/^✓ listOrders +1 passed/m)
    expect(stdout).toContain(`✗ Not met: listInventory: ${failed[0]?.title}`)
    expect(stdout).toContain('inventory-status-string · required · §')
    expect(stdout).toMatch(/^ {2}expected {2}\S/m)
    expect(stdout).toMatch(/^ {2}got {7}\S/m)
    expect(stdout).toContain(`'${store.baseUrl}/inventory' -H "Authorization: Bearer $STORE_API_KEY"`)
    expect(stdout).toMatch(/^ {2}< 200$/m)
    expect(stdout).toContain(
      `again     npx store-conformance run --base-url ${store.baseUrl} --states-url ${store.statesUrl} --only inventory-status-string --seed 42`,
    )
    expect(stdout).toMatch(/^Not conformant: 1 of \d+ gating rules failed\.$/m)
    for (const { title, outcome } of rules) if (outcome === 'passed') expect(stdout).not.toContain(title)
    expect(ended.stderr, 'progress is shown only at a terminal').toBe('')
    expect(stdout).not.toContain(ESCAPE)
  })

  it('many violations: one cause is shown once, and the output stays short', async () => {
    const store = await plain({
      intercept(request, response) {
        if (request.headers.authorization !== undefined) return false
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"oops":true}')
        return true
      },
    })
    const ended = await run(['--only', 'auth-*-order,auth-*-orders,auth-*-inventory'], {
      env: {
        STORE_BASE_URL: store.baseUrl,
        STORE_API_KEY: store.key,
        STORE_HEADERS: 'X-Tenant=acme-secret',
        STORE_READ_ONLY: 'false',
        ...named,
        FORCE_COLOR: '1',
      },
    })
    expect(ended.code).toBe(1)
    expect(ended.rules('failed')).toContain('auth-no-header-cancel-order')
    expect(ended.stdout).toMatch(/^ {2}also {6}auth-/m)
    expect(ended.stdout).toContain(ESCAPE)
    expect(ended.stdout.split('\n').length).toBeLessThan(150)
    // The command contains what came from the environment, because it may be pasted elsewhere.
    const ids = '--pending-orders 101,102,103 --shipped-orders 201,202 --pets 1,2'
    const command = `npx store-conformance run --base-url ${store.baseUrl} ${ids} --header X-Tenant="$X_TENANT"`
    expect(ended.stdout).toContain(`again     ${command} --only auth-`)
    expect(ended.report().command).toBe(command)
  })

  it('the rules that passed only with --verbose, and no colour with NO_COLOR', async () => {
    const ended = await run(['--only', 'cancel-shipped-409', '--verbose'], {
      env: { NO_COLOR: '1', FORCE_COLOR: '1', CI: 'true' },
    })
    expect(ended.code).toBe(0)
    expect(ended.stdout).toMatch(/^ {4}✓ cancel-shipped-409 {2}\S/m)
    expect(ended.stdout).not.toContain(ESCAPE)
    expect(ended.stdout).toContain('Partial: the selected gating rule passed')
  })
})
