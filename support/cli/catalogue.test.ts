import { describe, expect, it } from 'vitest'
import { faults } from '../../suites/faults.ts'
import { entries, findEntry, ledger } from './catalogue.ts'
import { explanation } from './explain.ts'
import { listText } from './list.ts'

const fault = (breaks: string[], title: string) => ({ id: title, title, breaks })
const listed = (options: Parameters<typeof listText>[0]) => JSON.parse(listText({ ...options, json: true }))

describe('list', () => {
  it('shows every rule and observation once, and --json what the text shows', () => {
    const shown = listText({}).split('\n')
    for (const { id } of entries) expect(shown.filter(line => line.split(/ +/).includes(id))).toHaveLength(1)
    expect(listed({})).toEqual(entries)
  })

  it('filters by operation, level and clause together', () => {
    const chosen = listed({ operation: 'cancelOrder', level: 'required', clause: '4.2/409' })
    expect(chosen.map(({ id }: { id: string }) => id)).toContain('cancel-shipped-409')
    for (const each of chosen)
      expect(each).toMatchObject({ operation: 'cancelOrder', level: 'required', clause: '4.2/409' })
    expect(() => listText({ clause: '17' })).toThrow(/No rule matches/)
  })

  it.each(['4', '4.2', '§4.2'])('reads %s as a section', section => {
    const clauses = listed({ clause: section }).map(({ clause }: { clause: string }) => clause)
    expect(clauses).toContain('4.2/409')
    expect(clauses).not.toContain('5/bearer')
    expect(clauses.includes('4.1/200')).toBe(section === '4')
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
    const { entry } = findEntry('cancel-twice-refused')
    const text = explanation(findEntry(entry.id), [
      fault([entry.id], 'Cancelled twice'),
      fault(['cancel-*'], 'Everything is cancelled'),
      fault(['cancel-pending-204'], 'Nothing is cancelled'),
    ])
    expect(text).toContain(`${entry.id}: ${entry.title}`)
    expect(text).toContain('DELETE /store/orders/{orderId}')
    expect(text).toMatch(/clause +§3\/\w+: \S/)
    expect(text).toMatch(/level +implied: the document shows it/)
    expect(text).toContain(entry.because)
    expect(text).toMatch(/needs +\d pending \(--pending-orders\)/)
    expect(text).toMatch(/after +cancel-pending-204: /)
    expect(text).toContain('Cancelled twice')
    expect(text).toContain('Everything is cancelled')
    expect(text).not.toContain('Nothing is cancelled')
    expect(text).toContain(`store-conformance run --only ${entry.id}`)
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
