import { describe, expect, it } from 'vitest'
import { bench } from './testing/bench.ts'

const { run } = bench()

describe('list', () => {
  it('shows every rule and every recorded question once', async () => {
    const all: readonly { id: string }[] = JSON.parse((await run(['list', '--json'])).stdout)
    const { stdout } = await run(['list'])
    const shown = stdout.split('\n')
    for (const { id } of all)
      expect(
        shown.filter(line => line.split(/ +/).includes(id)),
        id,
      ).toHaveLength(1)
    expect(all.length).toBeGreaterThan(100)
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
  ])('%j: exit 2', async (args, message) => {
    const { code, stderr } = await run(args)
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })
})
