import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Judgement } from './judgement.ts'
import { Behind, CantTell, NotApplicable, NotArranged, Stopped, Violation } from './outcome.ts'
import { randomness } from './randomness.ts'
import type { Rule } from './rule.ts'
import type { Generated, Property } from './scenario.ts'
import { type Access, openSession } from './session.ts'
import { ruleOver, seeing, silence } from './testing/parts.ts'

const fail = (): never => {
  throw new Violation('this', 'that')
}
const session = (rules: readonly Rule[]) => {
  const begun: string[] = []
  const ended: string[] = []
  const access: Access = {
    exchanges: [],
    async enter({ title }, perform) {
      begun.push(title)
      try {
        return await perform({})
      } finally {
        ended.push(title)
      }
    },
  }
  return { begun, ended, ...openSession(access, { rules, randomness: randomness(1), runs: 20 }) }
}
const judgeAll = (rules: readonly Rule[]): Promise<Judgement[]> => {
  const { judge } = session(rules)
  return Promise.all(rules.map(judge))
}
const outcomes = async (rules: readonly Rule[]) => (await judgeAll(rules)).map(({ outcome }) => outcome)

it('a scenario runs once, however many rules ask, and ends once', async () => {
  let acts = 0
  const given = seeing('once', async () => ++acts)
  const rules = ['a', 'b', 'c'].map(id => ruleOver(id, given, seen => void (seen === 1 || fail())))
  const { begun, ended, judge, observe } = session(rules)
  const judged = await Promise.all([...rules, ...rules].map(judge))
  await observe({ id: 'o', clause: '4.1/200', operation: 'listOrders', title: '?', given, saw: String })
  expect(judged.map(({ outcome }) => outcome)).toEqual(Array(6).fill('passed'))
  expect([acts, begun, ended]).toEqual([1, ['once'], ['once']])
})

describe('what is thrown', () => {
  it.each<[string, unknown, Judgement['outcome'], string]>([
    ['a violation', new Violation('this', 'that'), 'failed', 'expected this, got that'],
    ['CantTell', new CantTell('no control'), 'cantTell', 'no control'],
    ['NotArranged', new NotArranged('no order', 'name one'), 'untested', 'no order'],
    ['NotApplicable', new NotApplicable('no ids'), 'inapplicable', 'no ids'],
    ['a stop', new Stopped('stopped'), 'cantTell', 'stopped'],
    [
      'a bug',
      new TypeError('undefined is not'),
      'cantTell',
      'internal error in the suite, not a violation by the store',
    ],
    ['undefined', undefined, 'cantTell', 'undefined'],
  ])('%s, while judging, or while acting for two rules', async (_title, error, outcome, message) => {
    const judging = seeing('fine', async () => 1)
    const acting = seeing('throws', async () => raise(error))
    const rules = [ruleOver('a', judging, () => raise(error)), ruleOver('b', acting), ruleOver('c', acting)]
    for (const judgement of await judgeAll(rules))
      expect(judgement).toMatchObject({ outcome, message: expect.stringContaining(message) })
  })

  it('shows its exchanges, and the rule that it names', async () => {
    const given = seeing('fine', async () => 1)
    const behind = ruleOver('a', given, () => raise(new Behind('d', 'd says it', silence())))
    expect((await judgeAll([behind]))[0]).toMatchObject({ outcome: 'cantTell', behind: 'd', exchanges: [0] })
  })
})

describe('after', () => {
  it('names rules that would wait for each other for ever', () => {
    const given = seeing('fine', async () => 1)
    const rules = ['a', 'b', 'c'].map((id, at, ids) =>
      ruleOver(id, given, undefined, { after: ids[(at + 1) % 3] as string }),
    )
    expect(() => session(rules)).toThrow('Rules wait for each other: a → b → c → a')
  })

  const given = seeing('seen', async () => 1)
  const chain = (first: () => void) => [
    ruleOver('root', given, first),
    ruleOver('middle', given, () => undefined, { after: 'root' }),
    ruleOver('last', given, fail, { after: ['middle'] }),
  ]

  it.each<[string, () => void, Judgement['outcome'][], Partial<Judgement>]>([
    [
      'failed: one cause is one failure, which those that depend on it name',
      fail,
      ['failed', 'cantTell', 'cantTell'],
      { behind: 'root', message: 'root must hold first, and failed' },
    ],
    [
      'untested: those that depend on it have the same need',
      () => raise(new NotArranged('no order', 'name one')),
      ['untested', 'untested', 'untested'],
      { need: 'name one' },
    ],
    [
      'inapplicable: it blocks no other',
      () => raise(new NotApplicable('no')),
      ['inapplicable', 'passed', 'failed'],
      {},
    ],
  ])('a rule that is %s', async (_title, first, wanted, facts) => {
    const judged = await judgeAll(chain(first))
    expect(judged.map(({ outcome }) => outcome)).toEqual(wanted)
    for (const each of judged.slice(1)) expect(each).toMatchObject(facts)
  })

  it.each<[string, () => void, () => void, Judgement['outcome']]>([
    ['fails after one that could not be determined', () => raise(new CantTell('503')), fail, 'failed'],
    ['does not pass after one', () => raise(new CantTell('503')), () => undefined, 'cantTell'],
    ['does not fail after one that failed', fail, fail, 'cantTell'],
    [
      'fails after one that is untested',
      () => raise(new NotArranged('no order', 'name one')),
      fail,
      'failed',
    ],
    [
      'is untested after one that is',
      () => raise(new NotArranged('no order', 'name one')),
      () => undefined,
      'untested',
    ],
  ])('a rule that is sound alone %s', async (_title, first, last, wanted) => {
    const rules = [
      ...chain(first).slice(0, 2),
      ruleOver('last', given, last, { after: 'middle', isSoundAlone: true }),
    ]
    expect((await outcomes(rules)).at(-1)).toBe(wanted)
  })
})

describe('properties', () => {
  const nat = fc.nat(10_000)
  const over = (generated: Partial<Generated<number, number>>) => {
    const acted: number[] = []
    const given: Property<number> = {
      kind: 'property',
      title: 'p',
      needs: {},
      begin: async () => {
        const act = async (values: readonly number[]) => {
          acted.push(...values)
          return values
        }
        return {
          arbitrary: nat,
          examples: [],
          share: 1,
          act,
          show: String,
          ...generated,
        } as Generated<number>
      },
    }
    return { given, acted }
  }
  const below = (limit: number) => (seen: number) => {
    if (seen >= limit) throw new Violation(`below ${limit}`, String(seen))
  }

  it('the scenario acts once for each value, for all rules', async () => {
    const { given, acted } = over({ examples: [0, 1] })
    expect(await outcomes([ruleOver('a', given), ruleOver('b', given), ruleOver('c', given)])).toEqual(
      Array(3).fill('passed'),
    )
    expect(new Set(acted).size).toBe(acted.length)
    expect(acted.length).toBeLessThanOrEqual(22)
    expect(acted.slice(0, 2)).toEqual([0, 1])
  })

  it('reports the smallest case, with the seed and path that lead to it', async () => {
    const { given } = over({})
    const [judgement] = await judgeAll([ruleOver('a', given, below(100))])
    expect(judgement).toMatchObject({
      outcome: 'failed',
      expected: 'below 100',
      actual: '100',
      message: 'expected below 100, got 100 (smallest case: 100)',
      counterexample: { value: '100', runSeed: 1, seed: randomness(1).seedFor(given.title) },
    })
    const { seed = 0, path = '' } = judgement?.counterexample ?? {}
    const again = fc.check(
      fc.property(nat, value => value < 100),
      { seed, path, endOnFailure: true },
    )
    expect(again.counterexample).toEqual([100])
  })

  const at = (value: number, error: Error) => (seen: number) => void (seen === value && raise(error))
  const open = new CantTell('no answer')
  const bug = () => raise(new Error('a bug'))

  it.each<[string, Partial<Generated<number, number>>, (seen: number) => void, Partial<Judgement>]>([
    ['a value that is cantTell', { examples: [5_000] }, at(5_000, open), { outcome: 'cantTell' }],
    [
      'a violation beside one',
      { examples: [1, 2] },
      seen => [at(1, open), at(2, new Violation('1', '2'))].map(check => check(seen)),
      { outcome: 'failed' },
    ],
    ['acts that reject', { act: async () => bug() }, below(1), { outcome: 'cantTell' }],
    ['a generator that throws', { arbitrary: nat.map(bug) }, below(1), { outcome: 'cantTell' }],
  ])('%s decides the outcome, and only a violation is shrunk', async (_title, generated, expects, facts) => {
    const { given, acted } = over(generated)
    const [judgement] = await judgeAll([ruleOver('a', given, expects)])
    expect(judgement).toMatchObject(facts)
    if (judgement?.outcome === 'cantTell') {
      expect(judgement.message).toMatch(/no answer|a bug/)
      expect(acted.length).toBeLessThanOrEqual(21)
    }
  })
})

function raise(error: unknown): never {
  throw error
}
