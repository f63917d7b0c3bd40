import { describe, expect, it } from 'vitest'
import { bench } from './testing/bench.ts'

const { run } = bench()

interface Entry {
  readonly id: string
  readonly title: string
  readonly level: string
  readonly operations: readonly string[]
  readonly clauses: readonly string[]
}
const listed = async (...args: readonly string[]): Promise<readonly Entry[]> =>
  JSON.parse((await run(['list', ...args, '--json'])).stdout)

describe('list', () => {
  it('shows every rule and every recorded question once', async () => {
    const all = await listed()
    const { stdout } = await run(['list'])
    const shown = stdout.split('\n')
    for (const { id } of all)
      expect(
        shown.filter(line => line.split(/ +/).includes(id)),
        id,
      ).toHaveLength(1)
    expect(all.length).toBeGreaterThan(100)
  })

  it('filters by operation, level and clause together; a clause without its name is a section', async () => {
    const some = await listed('--operation', 'cancelOrder', '--level', 'required', '--clause', '4.2/409')
    expect(some.map(({ id }) => id)).toEqual(['cancel-shipped-409'])
    const [clause, section, part] = await Promise.all(
      ['4.2/409', '§4.2', '4'].map(each => listed('--clause', each)),
    )
    expect(section?.length).toBeGreaterThan(clause?.length ?? 0)
    expect(part?.length).toBeGreaterThan(section?.length ?? 0)
    const none = await run(['list', '--clause', '17'])
    expect([none.code, none.stderr]).toEqual([2, expect.stringMatching(/^No rule matches/)])
  })

  it('--clauses shows every statement with its rules, or the reason why there are none', async () => {
    const { stdout } = await run(['list', '--clauses'])
    for (const { id, level, clauses } of await listed())
      expect(stdout, clauses.join()).toContain(`  ${id}${level === 'unspecified' ? ' (recorded' : '\n'}`)
    expect(stdout).toContain('  no rule: ')
    expect(stdout).toMatch(/\d+ statements, \d+ of them checked by rules\.\n$/)
  })
})

describe('list RULE', () => {
  it('shows title, operations, clause, level with its reason, and what usually violates it', async () => {
    const id = 'cancel-twice-refused'
    const { stdout } = await run(['list', id])
    expect(stdout).toMatch(/^cancel-twice-refused: A cancelled order is not cancelled again\n/)
    expect(stdout).toMatch(/for +cancelOrder\n +clause +§3\/pending: .*\n +level +implied: .*\n +because +§3/)
    expect(stdout).toMatch(/\n +usually +.*\n\nTo judge it alone: .* run --only cancel-twice-refused\n$/)
    expect(JSON.parse((await run(['list', id, '--json'])).stdout)).toMatchObject({ id, level: 'implied' })
    expect((await run(['list', 'auth-no-header'])).stdout).toMatch(
      /for +listOrders, cancelOrder, listInventory, updateInventory\n +clause +§4\.1.*\n +clause +§4\.2/,
    )
  })

  it('says of a recorded question that it is never judged', async () => {
    const { stdout } = await run(['list', 'conflict-body'])
    expect(stdout).toContain('never judges it')
    expect(stdout).not.toContain('run --only')
  })

  it.each([
    [['list', 'Cancel-Shiped-409'], 'There is no rule "Cancel-Shiped-409". Did you mean cancel-shipped-409?'],
    [['list', 'zzzzzzzzzzzz'], 'list shows all rules.'],
    [['list', 'cancel-shipped-409', '--level', 'required'], 'Give either a rule or filters.'],
  ])('%j: exit 2', async (args, message) => {
    const { code, stderr } = await run(args)
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })
})
