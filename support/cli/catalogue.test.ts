import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { faults } from '../../suites/faults.ts'
import { entries, findEntry, ledger } from './catalogue.ts'
import { explanation } from './explain.ts'
import { listText } from './list.ts'
import { bench, spawned } from './testing/bench.ts'

const { run, reference } = bench()

const listed = (options: Parameters<typeof listText>[0]) => JSON.parse(listText({ ...options, json: true }))

describe('list', () => {
  it('shows every rule and observation once, and --json what the text shows', () => {
    const shown = listText({}).split('\n')
    for (const { id } of entries) expect(shown.filter(line => line.split(/ +/).includes(id))).toHaveLength(1)
    expect(listed({})).toEqual(entries)
  })

  it('filters by operation, level and clause together; a clause without its name is a section', () => {
    const wanted = { operation: 'cancelOrder', level: 'required', clause: '4.2/409' } as const
    const chosen = listed(wanted)
    expect(chosen.map(({ id }: { id: string }) => id)).toContain('cancel-shipped-409')
    for (const each of chosen) expect(each).toMatchObject(wanted)
    const counts = ['4.2/409', '§4.2', '4'].map(clause => listed({ clause }).length)
    expect(counts).toEqual([...new Set(counts)].sort((one, other) => one - other))
    expect(() => listText({ clause: '17' })).toThrow(/No rule matches/)
  })

  it('--clauses shows every statement with its rules and observations, or the reason why there are none', () => {
    for (const { clause, says, rules, observations, unchecked } of ledger()) {
      const text = listText({ clauses: true, clause })
      expect(text).toContain(`§${clause}  ${says}`)
      for (const id of rules) expect(text).toContain(`  ${id}\n`)
      for (const id of observations) expect(text).toContain(`  ${id} (recorded, not judged)`)
      if (unchecked) expect(text).toContain(`  no rule: ${unchecked}`)
    }
    const advisory = entries.filter(({ level }) => level === 'advisory').map(({ id }) => id)
    const lines = listed({ clauses: true, level: 'advisory' })
    expect(lines.flatMap(({ rules }: { rules: string[] }) => rules).sort()).toEqual(advisory.sort())
    for (const { rules } of lines) expect(rules).not.toEqual([])
  })
})

describe('explain', () => {
  it('shows title, clause, level, requests, needs, the rule that must hold first, and the faults it catches', () => {
    const entry = findEntry('cancel-twice-refused')
    const text = explanation(entry)
    const titleOf = (id: string) => faults.find(fault => fault.id === id)?.title ?? id
    for (const part of [
      `${entry.id}: ${entry.title}`,
      'DELETE /store/orders/{orderId}',
      entry.because ?? '',
      'implied: the document shows it',
      ' pending (--pending-orders)',
      'cancel-pending-204: ',
      titleOf('cancel-twice-204'),
    ])
      expect(text).toContain(part)
    expect(text).toMatch(/clause +§3\/\w+: \S/)
    expect(text).not.toContain(titleOf('cancel-200'))
  })

  it('explains every rule and observation, and offers run only for rules that run judges', () => {
    for (const entry of entries) {
      const text = explanation(entry)
      expect(text).toContain(entry.id)
      const isOnlyCertified = entry.id.startsWith('unannounced-')
      expect(text.includes(`run --only ${entry.id}`)).toBe(entry.level !== 'unspecified' && !isOnlyCertified)
      expect(text.includes('Only certify and verify --confirm')).toBe(isOnlyCertified)
      expect(text.includes('and never judges it')).toBe(entry.level === 'unspecified')
    }
  })

  it.each([
    ['Cancel-Shiped-409', 'Did you mean cancel-shipped-409?'],
    ['zzzzzzzzzzzz', 'list shows all rules'],
  ])('answers %s: %s', (typed, message) => {
    expect(() => findEntry(typed)).toThrow(message)
  })
})

describe('explain --from', () => {
  it('prints a script that sends the requests of the failure again, without the key, or names what is wrong', async () => {
    const store = await reference({ faults: ['cancel-twice-204'] })
    const { code, folder } = await run(['--only', 'cancel-pending-204,cancel-twice-refused'], {
      env: store.env,
    })
    expect(code).toBe(1)
    const explain = (rule: string, flags: string) => run(['explain', rule, ...flags.split(' ')], { folder })
    const script = await explain('cancel-twice-refused', '--from reports')
    expect(script.code, script.stderr).toBe(0)
    expect(script.stdout).toContain(
      '# cancel-twice-refused: expected a refusal such as 404 or 409, got 204\n',
    )
    expect(script.stdout).not.toContain(store.apiKey)
    const http = await explain('cancel-twice-refused', '--from reports/conformance.json --http')
    const request = [
      expect.stringMatching(/^### [12]\. .* \(the store answered 204\)$/),
      expect.stringContaining(`DELETE ${store.baseUrl}/store/orders/`),
      'Authorization: Bearer {{STORE_API_KEY}}',
    ]
    expect(http.stdout.split('\n').filter(line => /^(@|###|DELETE|Authorization)/.test(line))).toEqual([
      '@STORE_API_KEY = {{$processEnv STORE_API_KEY}}',
      ...request,
      ...request,
    ])
    mkdirSync(join(folder, 'alone'))
    copyFileSync(join(folder, 'reports/conformance.json'), join(folder, 'alone/conformance.json'))
    for (const [rule, flags, message] of [
      ['cancel-shipped-409', '--from reports', 'The run in reports sent no request for cancel-shipped-409'],
      ['cancel-twice-refuse', '--from reports', 'Did you mean cancel-twice-refused?'],
      ['cancel-twice-refused', '--from none', 'cannot be read (ENOENT)'],
      ['cancel-twice-refused', '--from alone', 'exchanges.har cannot be read (ENOENT)'],
      ['cancel-twice-refused', '--http', 'add --from reports'],
    ] as const) {
      const ended = await explain(rule, flags)
      expect([ended.code, ended.stdout, ended.stderr]).toEqual([2, '', expect.stringContaining(message)])
    }
  })

  it('--http sends each header with its own variable, and says how to make a key that only a shell can alter', async () => {
    const faults = ['equal-length-key-accepted', 'rewritten-key-accepted']
    const { env } = await reference({ faults })
    const keys = ['auth-equal-length-key-list-orders', 'auth-rewritten-key-list-orders']
    const headers = ['--header', 'X-Tenant=acme-corp', '--header', 'X-Tenant-Id=tenant-42']
    const { folder } = await run(['--only', keys.join(), ...headers], { env })
    const requests = async (rule = '') =>
      (await run(['explain', rule, '--from', 'reports', '--http'], { folder })).stdout
    const altered = await requests(keys[0])
    expect(altered).toMatch(/^# Put what bash prints .* echo "Bearer \$\{STORE_API_KEY%\?\}.+"\nGET /m)
    expect(altered).toContain('\nAuthorization: {{COMPUTED}}\n')
    expect(altered).toContain('\nX-Tenant: {{X_TENANT}}\nX-Tenant-Id: {{X_TENANT_ID}}\n')
    expect(await requests(keys[1])).toMatch(/^Authorization: .*\{\{/m)
    expect(await requests(keys[1])).not.toMatch(/^Authorization: .*[$\\]/m)
  })

  it('prints a script that runs, also with altered keys', async () => {
    const { env, apiKey } = await reference()
    const { folder } = await run(['--only', 'auth-case-changed-key-list-orders'], { env })
    const args = ['explain', 'auth-case-changed-key-list-orders', '--from', 'reports']
    writeFileSync(join(folder, 'again.sh'), (await run(args, { folder })).stdout, { mode: 0o755 })
    const again = (env = {}) => spawned('./again.sh', [], { folder, env })
    expect((await again()).stderr).toContain('STORE_API_KEY: is not set')
    const sent = await again({ STORE_API_KEY: apiKey })
    expect([sent.code, sent.stdout.match(/^HTTP\/1.1 401/m)?.length], sent.stderr).toEqual([0, 1])
  })
})
