import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { faults } from '../../suites/faults.ts'
import { entries, findEntry, ledger } from './catalogue.ts'
import { explanation } from './explain.ts'
import { listText } from './list.ts'
import { bench, spawned } from './testing/bench.ts'

const { run, reference } = bench()

const fault = (breaks: string[], title: string) => ({ id: title, title, breaks })
const listed = (options: Parameters<typeof listText>[0]) => JSON.parse(listText({ ...options, json: true }))

describe('list', () => {
  it('shows every rule and observation once, and --json what the text shows', () => {
    const shown = listText({}).split('\n')
    for (const { id } of entries) expect(shown.filter(line => line.split(/ +/).includes(id))).toHaveLength(1)
    expect(listed({})).toEqual(entries)
  })

  it('filters by operation, level and clause together', () => {
    const wanted = { operation: 'cancelOrder', level: 'required', clause: '4.2/409' } as const
    const chosen = listed(wanted)
    expect(chosen.map(({ id }: { id: string }) => id)).toContain('cancel-shipped-409')
    for (const each of chosen) expect(each).toMatchObject(wanted)
    expect(() => listText({ clause: '17' })).toThrow(/No rule matches/)
  })

  it('reads a clause without its name as a section', () => {
    const clauses = listed({ clause: '§4.2' }).map(({ clause }: { clause: string }) => clause)
    expect(clauses).toContain('4.2/409')
    expect(clauses).not.toContain('4.1/200')
    expect(listed({ clause: '4' }).length).toBeGreaterThan(clauses.length)
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
    const text = explanation(entry, [
      fault([entry.id], 'Cancelled twice'),
      fault(['cancel-*'], 'Everything is cancelled'),
      fault(['cancel-pending-204'], 'Nothing is cancelled'),
    ])
    for (const part of [
      `${entry.id}: ${entry.title}`,
      'DELETE /store/orders/{orderId}',
      entry.because ?? '',
      'implied: the document shows it',
      ' pending (--pending-orders)',
      'cancel-pending-204: ',
      'Cancelled twice',
      'Everything is cancelled',
      `store-conformance run --only ${entry.id}`,
    ])
      expect(text).toContain(part)
    expect(text).toMatch(/clause +§3\/\w+: \S/)
    expect(text).not.toContain('Nothing is cancelled')
  })

  it('explains every rule and observation, and offers run only for rules that run judges', () => {
    for (const { id, level } of entries) {
      const text = explanation(findEntry(id), faults)
      expect(text).toContain(id)
      expect(text.includes(`run --only ${id}`)).toBe(
        level !== 'unspecified' && !id.startsWith('unannounced-'),
      )
    }
    expect(explanation(findEntry('unannounced-list-orders'), [])).toContain(
      'Only certify and verify --confirm',
    )
    expect(explanation(findEntry('conflict-body'), [])).toContain('and never judges it')
  })

  it.each([
    ['cancel-shiped-409', 'Did you mean cancel-shipped-409?'],
    ['Cancel-Shipped-409', 'Did you mean cancel-shipped-409?'],
    ['zzzzzzzzzzzz', 'list shows all rules'],
  ])('answers %s: %s', (typed, message) => {
    expect(() => findEntry(typed)).toThrow(message)
  })
})

describe('explain --from', () => {
  /** A run on a store that cancels an order twice. */
  const broken = async () => {
    const store = await reference({ faults: ['cancel-twice-204'] })
    const ended = await run(['--only', 'cancel-pending-204,cancel-twice-refused'], { env: store.env })
    expect(ended.code, ended.stdout).toBe(1)
    const { folder } = ended
    return { store, folder, explain: (...args: string[]) => run(['explain', ...args], { folder }) }
  }

  it('prints a script that sends the requests of the failure again, without the key', async () => {
    const { store, explain } = await broken()
    const script = await explain('cancel-twice-refused', '--from', 'reports')
    expect(script.code, script.stderr).toBe(0)
    expect(script.stdout).toContain(
      '# cancel-twice-refused: expected a refusal such as 404 or 409, got 204\n',
    )
    expect(script.stdout).not.toContain(store.apiKey)
    const args = ['--from', 'reports/conformance.json', '--http']
    const { stdout: http } = await explain('cancel-twice-refused', ...args)
    const [variable, ...requests] = http
      .split('\n')
      .filter(line => /^(@|###|DELETE|Authorization)/.test(line))
    expect(variable).toBe('@STORE_API_KEY = {{$processEnv STORE_API_KEY}}')
    const request = [
      expect.stringMatching(/^### [12]\. .* \(the store answered 204\)$/),
      expect.stringContaining(`DELETE ${store.baseUrl}/store/orders/`),
      'Authorization: Bearer {{STORE_API_KEY}}',
    ]
    expect(requests).toEqual([...request, ...request])
  })

  it('prints a script that runs, also with altered keys', async () => {
    const { env, apiKey } = await reference()
    const { folder } = await run(['--only', 'auth-case-changed-key-list-orders'], { env })
    const args = ['explain', 'auth-case-changed-key-list-orders', '--from', 'reports']
    writeFileSync(join(folder, 'again.sh'), (await run(args, { folder })).stdout, { mode: 0o755 })
    const { PATH = '' } = process.env
    const again = (key: object) => spawned('./again.sh', [], { folder, env: { PATH, ...key } })
    expect((await again({})).stderr).toContain('STORE_API_KEY: is not set')
    const sent = await again({ STORE_API_KEY: apiKey })
    expect([sent.code, sent.stdout.match(/^HTTP\/1.1 401/m)?.length], sent.stderr).toEqual([0, 1])
  })

  it('names what is wrong: exit 2', async () => {
    const { explain, folder } = await broken()
    mkdirSync(join(folder, 'alone'))
    copyFileSync(join(folder, 'reports/conformance.json'), join(folder, 'alone/conformance.json'))
    for (const [rule, flags, message] of [
      ['cancel-shipped-409', '--from reports', 'The run in reports sent no request for cancel-shipped-409'],
      ['cancel-twice-refuse', '--from reports', 'Did you mean cancel-twice-refused?'],
      ['cancel-twice-refused', '--from none', 'cannot be read (ENOENT)'],
      ['cancel-twice-refused', '--from alone', 'exchanges.har cannot be read (ENOENT)'],
      ['cancel-twice-refused', '--http', 'add --from reports'],
    ] as const) {
      const ended = await explain(rule, ...flags.split(' '))
      expect([ended.code, ended.stdout, ended.stderr]).toEqual([2, '', expect.stringContaining(message)])
    }
  })
})
