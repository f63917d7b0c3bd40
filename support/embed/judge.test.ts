import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { operationIds } from '../interface/operations.ts'
import { referenceStore } from '../reference/index.ts'
import { faults } from '../run/faults.ts'
import { namedIn } from '../selfcheck/judged-store.ts'
import { configure } from '../settings/configuration.ts'
import { ConfigurationError, itemCalled } from '../settings/mistake.ts'
import { inProcess } from '../wire/in-process.ts'
import { newFolder } from '../wire/testing/folder.ts'
import { judge, judgeEach } from './judge.ts'
import { givenSettings, type JudgeOptions, referenceStore as packagedStore, serve } from './options.ts'
import { optionsFor } from './testing/stores.ts'

const ONLY = ['order-*', 'list-orders-200']

/** A reference store in this process, and options to judge it. */
function inside(more: Partial<JudgeOptions> = {}) {
  const store = referenceStore({ demo: false })
  return { store, options: { ...optionsFor(store), states: store.states, only: ONLY, ...more } }
}

it('the duration of a run includes its setups and teardowns', async () => {
  const { store, options } = inside()
  const late = () => new Promise(resolve => setTimeout(resolve, 150))
  const states: JudgeOptions['states'] = {
    setup: (state, params) => late().then(() => store.states.setup(state, params)),
    teardown: (state, params) => late().then(() => store.states.teardown(state, params)),
  }
  // The setups of orders are sent together, then the one of pets, then all teardowns together.
  expect((await judge({ ...options, states })).durationMs).toBeGreaterThanOrEqual(440)
})

it('conditional requests without a key are judged also if the profile leaves updates out', async () => {
  const { override } = itemCalled('condition-before-key', 'fault', faults)
  const store = referenceStore({ overrides: [override] })
  for (const resources of [{ states: store.states }, namedIn(store)]) {
    const { rules } = await judge({
      ...optionsFor(store),
      ...resources,
      profile: '1.0.0-stable',
      only: ['auth-conditional/listInventory'],
    })
    expect(rules.map(({ outcome }) => outcome)).toEqual(['failed'])
  }
})

describe('judge', () => {
  it.each<[string, JudgeOptions, RegExp]>([
    ['no store', {}, /^baseUrl: is missing, so no store is named; give baseUrl or fetch, or reference: true/],
    ['a key alone', { apiKey: 'a-key' }, /^baseUrl: is missing, so no store is named.*$/],
    [
      'two stores',
      { ...inside().options, reference: true },
      /^reference: is set beside baseUrl or fetch; give one of them/,
    ],
    ['no key', { baseUrl: 'http://store.test/v1' }, /^apiKey: is missing; the target base needs it$/],
    [
      'states without an address',
      { states: inside().store.states },
      /^states: needs the address of the store/m,
    ],
    [
      'two kinds of transport',
      { ...inside().options, fetch: () => new Response() },
      /fetch: cannot be combined with transport/,
    ],
    ['two kinds of states', { ...inside().options, statesModule: 'package.json' }, /is set beside states/],
    [
      'a misspelled address',
      { baseURL: 'x' } as JudgeOptions,
      /^baseURL: is not an option .*did you mean baseUrl\?/,
    ],
    [
      'several mistakes',
      { ...inside().options, nonsense: 1, seed: -1, only: ['zzz'] } as JudgeOptions,
      /^nonsense: is not an option of judge\(\); its options are .*\bbaseUrl, .*\nseed: -1 is not .*\n--only.* "zzz" is not a rule/,
    ],
    // A configuration in JSON has null for what is unset.
    ['an address that is null', { baseUrl: null } as object, /^baseUrl: is not an address; /],
    [
      'header values of another type',
      { ...inside().options, ...({ headers: { 'X-A': 1, 'X-B': undefined } } as object) },
      /value of X-A is not a text .*\n.* value of X-B is not a text /,
    ],
    ['an empty selection', { ...inside().options, only: [] }, /only/],
    [
      'values of another type',
      {
        ...inside().options,
        ...({ states: 5, signal: 'x', fetch: 5, undoPath: 5, env: 5, headers: ['X-A'] } as object),
      },
      /^states: is not .*\nsignal: is not .*\nfetch: is not .*\nundoPath: is not .*\nenv: is not (.|\n)*headers: is not a header/,
    ],
  ])('%s: throws a ConfigurationError, and sends nothing', async (_title, options, message) => {
    const transport = { limitMs: 1_000, connect: () => expect.fail('a request is sent') }
    const error = await judge({ ...options, transport }).catch(each => each)
    expect(error).toBeInstanceOf(ConfigurationError)
    expect(error.message).toMatch(message)
  })

  it.each<[string, () => unknown]>([
    ['judgeEach', () => judgeEach({ nonsense: true } as JudgeOptions).next()],
    ['referenceStore', async () => packagedStore({ nonsense: true } as object)],
    ['serve', () => serve(packagedStore(), { nonsense: true } as object)],
    ['judge, in place of its options', () => judge([{ nonsense: true }] as JudgeOptions)],
  ])('%s has no unknown option either', async (_name, call) => {
    const called = call()
    await expect(called).rejects.toThrow(ConfigurationError)
    await expect(called).rejects.toThrow(
      /^nonsense: is not an option of |^judge\(\): takes an object of options/,
    )
  })

  it('accepts ids as numbers, bigints and strings; an empty list counts as unset', () => {
    const configured = configure({
      ...givenSettings({
        pendingOrders: [1, 9007199254740993n, '3'],
        shippedOrders: [],
        pets: [12.5],
        skip: [],
      }),
      baseUrl: 'http://store.test/v1',
      apiKey: 'a-key',
    })
    expect(configured).toMatchObject({
      configuration: { pendingOrders: ['1', '9007199254740993', '3'], pets: ['12.5'] },
    })
    expect(configured).not.toHaveProperty('configuration.shippedOrders')
    expect(configured).not.toHaveProperty('configuration.skip')
  })

  it('writes no undo file for the reference store, which ends with the run', async () => {
    const undoPath = join(newFolder(), 'undo.json')
    const report = await judge({ reference: true, undoPath, only: ['update-replaces'], seed: 1 })
    expect(report.verdict).toBe('partial')
    expect(existsSync(undoPath)).toBe(false)
  })
})

it('a store that answers 500 to everything passes no gating rule', async () => {
  const transport = inProcess(async () => ({ status: 500, headers: [] }))
  const { states: _states, only: _only, ...rest } = inside().options
  const { verdict, counts } = await judge({ ...rest, transport })
  expect([verdict, counts.passed]).toEqual(['nonconformant', 0])
})

describe('judgeEach', () => {
  it('yields each rule once, and returns the report', async () => {
    const each = judgeEach(inside().options)
    const ids: string[] = []
    let step = await each.next()
    for (; !step.done; step = await each.next()) ids.push(step.value.id)
    expect([...ids].sort()).toEqual(step.value.rules.map(({ id }) => id).sort())
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('named ids that are out of date', () => {
  const only = ['cancel-pending-204', 'cancel-shipped-409', 'list-orders-*-listed']
  const outcomesOf = async ({ options }: ReturnType<typeof inside>, named: Partial<JudgeOptions>) => {
    const { states: _states, ...rest } = options
    const { verdict, rules } = await judge({ ...rest, only, ...named })
    return { verdict, of: (id: string) => rules.find(rule => rule.id === id) }
  }

  it.each([
    [[1], 'cancel-only-that-order'],
    [[0, 1, 2], 'cancel-pending-204'],
  ])('if the orders at %s were cancelled before, %s is untested, with the reason', async (at, id) => {
    const own = inside()
    const { pets: _pets, ...named } = namedIn(own.store)
    for (const each of at) {
      const stale = own.store.domain.orders.get(BigInt(named.pendingOrders[each] ?? ''))
      if (stale) stale.state = 'cancelled'
    }
    const { options } = own
    const { states: _states, ...rest } = options
    const { verdict, rules } = await judge({ ...rest, ...named, only: [id] })
    expect(verdict).toBe('incomplete')
    expect(rules.find(rule => rule.id === id)).toMatchObject({
      outcome: 'untested',
      need: expect.stringMatching(/^name orders that are still pending/),
    })
  })

  it('named orders that do not exist are not a violation', async () => {
    const { verdict, of } = await outcomesOf(inside(), { pendingOrders: [1, 2, 3], shippedOrders: [4, 5] })
    expect(verdict).toBe('incomplete')
    expect(of('cancel-shipped-409')?.need).toMatch(/^name orders that exist/)
    expect(of('list-orders-shipped-listed')?.outcome).toBe('untested')
  })
})

describe('one request at a time', () => {
  it('leaves only rules about simultaneous requests untested', async () => {
    const { options } = inside({ concurrency: 1 })
    const { only: _only, ...whole } = options
    const report = await judge(whole)
    const untested = report.rules.filter(({ outcome }) => outcome === 'untested')
    const need = 'run with --concurrency 2 or more'
    expect(untested.map(each => `${each.id}: ${each.need}`).sort()).toEqual([
      ...operationIds.map(() => `beside-anything: ${need}`),
      `cancel-race-once: ${need}`,
    ])
  })
})
