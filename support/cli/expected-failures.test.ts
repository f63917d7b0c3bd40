import { describe, expect, test } from 'vitest'
import { bench } from './testing/bench.ts'

const { run, reference } = bench()

const entry = (rule: string) =>
  `- rule: ${rule}\n  operation: cancelOrder\n  reason: a queue answers first\n  owner: orders\n  expires: 2999-12-31\n`
const ONLY = 'cancel-pending-204,cancel-exact-id,cancel-shipped-409,cancel-unknown-404'

/** The variables of a store that violates cancel-pending-204. */
const broken = async () => {
  const { env } = await reference({ faults: ['cancel-200'] })
  return env
}
const judge = async (known: string) =>
  run(['run', '--only', ONLY, '--expected-failures', 'known.yaml'], {
    env: await broken(),
    files: { 'known.yaml': known },
  })

describe.concurrent('--expected-failures', () => {
  test('a listed rule that fails, of any operation, does not count, is skipped in JUnit, and makes the verdict partial', async () => {
    const ended = await judge(entry('cancel-pending-204').replace(/ +operation: .*\n/, ''))
    expect(ended.code).toBe(0)
    expect(ended.report().verdict).toBe('partial')
    expect(ended.rule('cancel-pending-204')).toMatchObject({
      outcome: 'failed',
      expectedFailure: { reason: 'a queue answers first', owner: 'orders', expires: '2999-12-31' },
    })
    // A rule that waits for it is set aside with it.
    expect(ended.rule('cancel-exact-id')).toMatchObject({ outcome: 'cantTell', expectedFailure: {} })
    expect(ended.read('reports/junit.xml')).toMatch(
      /cancel-pending-204: [^>]*><skipped message="expected failure: a queue/,
    )
  })

  test('a misspelt rule is refused before anything is sent, with a suggestion', async () => {
    const rules = ['cancel-shiped-409', 'list-orders-200', 'zzz-*', 'cancel-twice-*']
    const ended = await judge(rules.map(entry).join(''))
    expect([ended.code, ended.stdout]).toEqual([2, ''])
    for (const mistake of [
      'known.yaml:1: "cancel-shiped-409" is not a rule or glob. Did you mean cancel-shipped-409?',
      'known.yaml:6: list-orders-200 is a rule of listOrders, not of cancelOrder',
      'known.yaml:11: "zzz-*" is not a rule or glob. npx --no-install store-conformance list shows all rules.',
    ])
      expect(ended.stderr).toContain(mistake)
    expect(ended.stderr).not.toContain('cancel-twice')
  })

  test('--write-expected-failures drafts a file that needs reasons and owners', async () => {
    const env = await broken()
    const args = ['run', '--only', ONLY]
    const ended = await run([...args, '--write-expected-failures', 'known.yaml'], { env })
    expect(ended.code).toBe(1)
    expect(ended.stdout).toMatch(/drafted in known\.yaml: fill in each reason and owner\.$/m)
    const { folder } = ended
    const refused = await run([...args, '--expected-failures', 'known.yaml'], { env, folder })
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('reason is empty')])
    const draft = ended.read('known.yaml')
    const filled = draft.replaceAll('reason:', 'reason: known').replaceAll('owner:', 'owner: orders')
    const given = { env, folder, files: { 'known.yaml': filled } }
    expect((await run([...args, '--expected-failures', 'known.yaml'], given)).code).toBe(0)
    const kept = await run([...args, '--write-expected-failures', 'known.yaml'], { env, folder })
    expect([kept.code, kept.stdout]).toEqual([2, ''])
  })
})
