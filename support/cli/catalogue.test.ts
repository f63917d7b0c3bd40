import { describe, expect, it } from 'vitest'
import { faults } from '../../suites/faults.ts'
import { entries, findEntry, ledger } from './catalogue.ts'
import { explanation } from './explain.ts'
import { listText } from './list.ts'

const fault = (breaks: string[], title: string) => ({ id: title, title, breaks })

describe('list', () => {
  it('shows every rule and observation once', () => {
    const shown = listText({}).split('\n')
    for (const { id } of entries) expect(shown.filter(line => line.split(/ +/).includes(id))).toHaveLength(1)
  })

  it('filters by operation, level and clause together', () => {
    const chosen = JSON.parse(
      listText({ operation: 'cancelOrder', level: 'required', clause: '4.2/409', json: true }),
    )
    expect(chosen.map(({ id }: { id: string }) => id)).toContain('cancel-shipped-409')
    for (const each of chosen)
      expect(each).toMatchObject({ operation: 'cancelOrder', level: 'required', clause: '4.2/409' })
  })

  it.each(['4', '4.2', '§4.2'])('reads %s as a section', section => {
    const clauses = new Set<string>(
      JSON.parse(listText({ clause: section, json: true })).map(({ clause }: { clause: string }) => clause),
    )
    expect(clauses.has('4.2/409')).toBe(true)
    expect(clauses.has('5/bearer')).toBe(false)
    expect(clauses.has('4.1/200')).toBe(section === '4')
  })

  it('--json contains everything that the text shows', () => {
    const [first] = JSON.parse(listText({ json: true }))
    expect(Object.keys(first)).toEqual(
      expect.arrayContaining(['id', 'operation', 'level', 'clause', 'title', 'suite', 'scenario']),
    )
    expect(JSON.parse(listText({ json: true }))).toHaveLength(entries.length)
  })

  it('reports filters that match no rule', () => {
    expect(() => listText({ clause: '17' })).toThrow(/No rule matches/)
  })
})

describe('list --clauses', () => {
  it('shows every statement with its rules and observations, or the reason why there are none', () => {
    for (const { clause, says, rules, observations, unchecked } of ledger()) {
      const text = listText({ clauses: true, clause })
      expect(text).toContain(`§${clause}  ${says}`)
      for (const id of rules) expect(text).toContain(`  ${id}\n`)
      for (const id of observations) expect(text).toContain(`  ${id} (recorded, not judged)`)
      if (unchecked) expect(text).toContain(`  no rule: ${unchecked}`)
    }
  })

  it('shows with a filter only statements that a matching rule checks', () => {
    const lines = JSON.parse(listText({ clauses: true, level: 'advisory', json: true }))
    expect(lines.length).toBeGreaterThan(0)
    const advisory = entries.filter(({ level }) => level === 'advisory').map(({ id }) => id)
    for (const { rules } of lines) {
      expect(rules).not.toEqual([])
      expect(advisory).toEqual(expect.arrayContaining(rules))
    }
  })
})

describe('explain', () => {
  it('shows title, clause, level, requests, needs and the rule that must hold first', () => {
    const text = explanation(findEntry('cancel-race-once'), [])
    expect(text).toContain(
      'cancel-race-once: Exactly one of several simultaneous cancellations of an order succeeds',
    )
    expect(text).toContain('DELETE /store/orders/{orderId}')
    expect(text).toMatch(/clause +§4\.2\/only-pending: Only a pending order can be cancelled\./)
    expect(text).toMatch(/level +implied: the document shows it, or it follows from what is stated/)
    expect(text).toMatch(/sends +a pending order, cancelled twice/)
    expect(text).toMatch(/needs +2 pending \(--pending-orders\)/)
    expect(text).toMatch(/after +cancel-twice-refused: A cancelled order is not cancelled again/)
    expect(text).toMatch(/usually +The state is read and written in separate steps/)
    expect(text).toContain('store-conformance run --only cancel-race-once')
  })

  it('shows why a level is below required', () => {
    const { entry } = findEntry('cancel-twice-refused')
    expect(entry.because).toBeDefined()
    expect(explanation(findEntry(entry.id), [])).toContain(entry.because)
  })

  it('names the faults that the rule catches, by id or glob, and no others', () => {
    const text = explanation(findEntry('cancel-shipped-409'), [
      fault(['cancel-shipped-409'], 'Shipped is answered 204'),
      fault(['cancel-*'], 'Everything is cancelled'),
      fault(['cancel-pending-204'], 'Nothing is cancelled'),
    ])
    expect(text).toContain('Shipped is answered 204')
    expect(text).toContain('Everything is cancelled')
    expect(text).not.toContain('Nothing is cancelled')
  })

  it.each(entries.map(({ id }) => id))('%s can be explained', id => {
    expect(explanation(findEntry(id), faults)).toContain(id)
  })

  it('offers run only for rules that run judges', () => {
    expect(explanation(findEntry('update-replaces'), [])).toContain('run --only update-replaces')
    const text = explanation(findEntry('unannounced-list-orders'), [])
    expect(text).toContain('Only certify and verify --confirm judge it')
    expect(text).not.toContain('run --only')
  })

  it('explains that an observation is never judged', () => {
    const text = explanation(findEntry('conflict-body'), faults)
    expect(text).toContain('and never judges it')
    expect(text).not.toContain('--only')
  })

  it.each([
    ['cancel-shiped-409', 'cancel-shipped-409'],
    ['Cancel-Shipped-409', 'cancel-shipped-409'],
    ['race-once', 'cancel-race-once'],
  ])('suggests for %s', (typed, meant) => {
    expect(() => findEntry(typed)).toThrow(`Did you mean ${meant}?`)
  })

  it('points to the list if no id is similar', () => {
    expect(() => findEntry('zzzzzzzzzzzz')).toThrow(/list shows all rules/)
  })
})
