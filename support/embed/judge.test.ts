import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { faults } from '../../suites/faults/index.ts'
import { itemCalled } from '../cli/flags.ts'
import { operationIds } from '../interface/operations.ts'
import { namedIn } from '../selfcheck/prove.ts'
import { ConfigurationError } from '../settings/configuration.ts'
import { newFolder } from '../wire/testing/folder.ts'
import { type JudgeOptions, judge, judgeEach, type Override, referenceStore, serve } from './index.ts'

/** A reference store in this process, and options to judge it. */
function inside(...overrides: readonly Override[]) {
  const store = referenceStore({ demo: false, overrides })
  return { store, options: { fetch: store.fetch, apiKey: store.apiKey, states: store.states, seed: 1 } }
}

const { options: whole } = inside()
const wrongTypes = { states: 5, signal: 'x', fetch: 5, undoPath: 5, headers: ['X-A'] }

// biome-ignore format: a table
it.each<[string, options: object, RegExp]>([
  ['no store', {}, /^baseUrl: is missing, so no store is named; give baseUrl or fetch, or reference: true/],
  ['two stores', { ...whole, reference: true }, /^reference: is set beside baseUrl or fetch; give one of them/],
  ['an address that is undefined', { baseUrl: undefined }, /^baseUrl: is undefined; leave it out, or give it a value/],
  ['no key', { baseUrl: 'http://store.test/v1' }, /^apiKey: is missing; the target base needs it$/],
  ['states without an address', { states: whole.states }, /^states: needs the address of the store/m],
  ['two kinds of states', { ...whole, statesModule: 'package.json' }, /is set beside states/],
  ['a misspelled address', { baseURL: 'x' }, /^baseURL: is not an option .*Did you mean baseUrl\?/],
  ['several mistakes', { ...whole, nonsense: 1, seed: -1, only: ['zzz'] }, /^nonsense: is not an option of judge\(\)\. Its options are .*\bbaseUrl, .*\nseed: -1 is not .*\nonly.* "zzz" is not a rule/],
  // A configuration in JSON has null for what is unset.
  ['an address that is null', { baseUrl: null }, /^baseUrl: is not an address; /],
  ['an empty selection', { ...whole, only: [] }, /only/],
  ['a key in place of a rule', { ...whole, only: [whole.apiKey] }, /^only: "\$STORE_API_KEY" is not a rule/],
  ['values of another type', { ...whole, ...wrongTypes }, /^states: is not .*\nsignal: is not .*\nfetch: is not .*\nundoPath: is not (.|\n)*headers: is not a header/],
])('judge of %s throws a ConfigurationError, and sends nothing', async (_title, options, message) => {
  const error = await judge(options).catch(each => each)
  expect(error).toBeInstanceOf(ConfigurationError)
  expect(error.message).toMatch(message)
})

it.each<[string, () => unknown]>([
  ['judgeEach', () => judgeEach({ nonsense: true } as JudgeOptions).next()],
  ['referenceStore', async () => referenceStore({ nonsense: true } as object)],
  ['serve', () => serve(referenceStore(), { nonsense: true } as object)],
])('%s has no unknown option either', async (_name, call) => {
  await expect(call()).rejects.toThrow(/^nonsense: is not an option of /)
})

const failing = () => {
  throw new Error('no such table: orders')
}
const unreached = () => expect.fail('a request was sent')
/** A part of a larger app. An error would be no answer. */
const part = (...given: [Request]) => {
  expect(given).toHaveLength(1)
  return whole.fetch(new Request(given[0].url.replace('/shop', ''), given[0]))
}
const shop = { ...whole, fetch: part, baseUrl: 'http://in-process.invalid/shop/v1', only: ['order-*'] }
const profile = '1.0.0-stable'

// biome-ignore format: a table
it.each<[string, JudgeOptions, expected: object]>([
  ['throws', { fetch: failing }, { verdict: 'unreachable', reason: expect.stringContaining('no such table: orders'), counts: { failed: 0 } }],
  ['gets nothing from an aborted run', { fetch: unreached, signal: AbortSignal.abort() }, { verdict: 'incomplete', reason: 'The run was stopped before its end.' }],
  ['answers 500 to everything', { fetch: () => new Response(null, { status: 500 }) }, { verdict: 'nonconformant', counts: { passed: 0 } }],
  ['gets the request alone', shop, { verdict: 'partial', counts: { failed: 0 } }],
])('a store that %s has its verdict', async (_title, options, expected) => {
  expect(await judge({ apiKey: 'a-key', ...options })).toMatchObject(expected)
})

it('conditional requests without a key are judged also if the profile leaves updates out', async () => {
  const { store, options } = inside(itemCalled('condition-before-key', 'fault', faults).override)
  for (const resources of [options, { ...options, states: undefined, ...namedIn(store) }]) {
    const { rules } = await judge({ ...resources, profile, only: ['auth-conditional/listInventory'] })
    expect(rules.map(({ outcome }) => outcome)).toEqual(['failed'])
  }
})

it('no undo file is written for the reference store, which ends with the run', async () => {
  const undoPath = join(newFolder(), 'undo.json')
  const report = await judge({ reference: true, undoPath, only: ['update-replaces'], seed: 1 })
  expect([report.verdict, existsSync(undoPath)]).toEqual(['partial', false])
})

it('judgeEach yields each rule once, and returns the report; an empty list counts as unset', async () => {
  const each = judgeEach({ ...whole, only: ['order-*'], pendingOrders: [], shippedOrders: [], skip: [] })
  const ids: string[] = []
  let step = await each.next()
  for (; !step.done; step = await each.next()) ids.push(step.value.id)
  expect(ids).toEqual(step.value.rules.map(({ id }) => id))
})

// biome-ignore format: a table
it.each<[string, id: string, cancelled: readonly number[], named: Partial<JudgeOptions>, need: RegExp]>([
  ['the second pending order was cancelled', 'cancel-only-that-order', [1], {}, /^name orders that are still pending/],
  ['all pending orders were cancelled', 'cancel-pending-204', [0, 1, 2], {}, /^name orders that are still pending/],
  ['the shipped order does not exist', 'cancel-shipped-409', [], { shippedOrders: [4, 5] }, /^name orders that exist/],
  ['the shipped order does not exist, so it is not listed', 'list-orders-shipped-listed', [], { shippedOrders: [4, 5] }, /^name orders that exist/],
])('where %s, %s is untested, with the reason', async (_title, id, cancelled, named, need) => {
  const { store, options } = inside()
  const own = namedIn(store)
  for (const at of cancelled) {
    const stale = store.domain.orders.get(BigInt(own.pendingOrders[at] ?? ''))
    if (stale) stale.state = 'cancelled'
  }
  const { states: _, ...rest } = options
  const { verdict, rules } = await judge({ ...rest, ...own, pets: [], ...named, only: [id] })
  expect(verdict).toBe('incomplete')
  expect(rules.find(rule => rule.id === id)).toMatchObject({ outcome: 'untested', need: expect.stringMatching(need) })
})

it('one request at a time leaves only rules about simultaneous requests untested, also among orders of others', async () => {
  const { store, options } = inside()
  const { states: _, ...rest } = options
  const { orderIds = [] } = store.states.setup('pending orders', { count: 6 })
  const pendingOrders = orderIds.filter((_, at) => at % 2 === 0)
  const { rules } = await judge({ ...rest, ...namedIn(store), pendingOrders, concurrency: 1 })
  const untested = rules.filter(({ outcome }) => outcome === 'untested')
  const need = 'run with --concurrency 2 or more'
  expect(untested.map(each => `${each.id}: ${each.need}`).sort()).toEqual([
    ...operationIds.map(() => `beside-anything: ${need}`),
    `cancel-race-once: ${need}`,
  ])
})
