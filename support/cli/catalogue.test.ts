import { describe, expect, it } from 'vitest'
import { faults } from '../../suites/faults.ts'
import { entries, findEntry, ledger } from './catalogue.ts'
import { explanation } from './explanation.ts'
import { listText } from './list.ts'
import { bench } from './testing/bench.ts'

const { run } = bench()

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

describe('list RULE', () => {
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

  it('explains every rule and observation, and offers run only for rules', () => {
    for (const entry of entries) {
      const text = explanation(entry)
      expect(text).toContain(entry.id)
      expect(text.includes(`run --only ${entry.id}`)).toBe(entry.level !== 'unspecified')
      expect(text.includes('and never judges it')).toBe(entry.level === 'unspecified')
    }
  })

  it('prints the explanation, as JSON the entry; with filters: exit 2', async () => {
    const id = 'cancel-shipped-409'
    expect((await run(['list', id])).stdout).toBe(explanation(findEntry(id)))
    expect(JSON.parse((await run(['list', id, '--json'])).stdout)).toMatchObject({ id, clause: '4.2/409' })
    const both = await run(['list', id, '--level', 'required'])
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('Give either a rule or filters')])
  })

  it.each([
    ['Cancel-Shiped-409', 'Did you mean cancel-shipped-409?'],
    ['zzzzzzzzzzzz', 'list shows all rules'],
  ])('answers %s: %s', (typed, message) => {
    expect(() => findEntry(typed)).toThrow(message)
  })
})
