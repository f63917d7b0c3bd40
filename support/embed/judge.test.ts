import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { faults } from '../../suites/faults/index.ts'
import { itemCalled } from '../cli/flags.ts'
import { operationIds } from '../interface/operations.ts'
import { type ReferenceStore, referenceStore } from '../reference/index.ts'
import { namedIn } from '../selfcheck/prove.ts'
import { ConfigurationError } from '../settings/configuration.ts'
import { inProcess } from '../wire/connection.ts'
import { newFolder } from '../wire/testing/folder.ts'
import { type JudgeOptions, judge, judgeEach, referenceStore as packagedStore, serve } from './judge.ts'

const ONLY = ['order-*', 'list-orders-200']

/** Options that judge this store without a port. */
const optionsFor = (store: ReferenceStore): JudgeOptions => ({
  baseUrl: 'http://store.test/v1',
  apiKey: store.apiKey,
  transport: inProcess((request, connection) => store.answer(request, { connection })),
  seed: 1,
})

/** A reference store in this process, and options to judge it. */
function inside(more: Partial<JudgeOptions> = {}) {
  const store = referenceStore({ demo: false })
  return { store, options: { ...optionsFor(store), states: store.states, only: ONLY, ...more } }
}

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

const { options: whole } = inside()
const wrongTypes = { states: 5, signal: 'x', fetch: 5, undoPath: 5, env: 5, headers: ['X-A'] }

// biome-ignore format: a table
it.each<[string, options: object, RegExp]>([
  ['no store', {}, /^baseUrl: is missing, so no store is named; give baseUrl or fetch, or reference: true/],
  ['a key alone', { apiKey: 'a-key' }, /^baseUrl: is missing, so no store is named.*$/],
  ['two stores', { ...whole, reference: true }, /^reference: is set beside baseUrl or fetch; give one of them/],
  ['no key', { baseUrl: 'http://store.test/v1' }, /^apiKey: is missing; the target base needs it$/],
  ['states without an address', { states: whole.states }, /^states: needs the address of the store/m],
  ['two kinds of transport', { ...whole, fetch: () => new Response() }, /fetch: cannot be combined with transport/],
  ['two kinds of states', { ...whole, statesModule: 'package.json' }, /is set beside states/],
  ['a misspelled address', { baseURL: 'x' }, /^baseURL: is not an option .*Did you mean baseUrl\?/],
  ['several mistakes', { ...whole, nonsense: 1, seed: -1, only: ['zzz'] }, /^nonsense: is not an option of judge\(\)\. Its options are .*\bbaseUrl, .*\nseed: -1 is not .*\nonly.* "zzz" is not a rule/],
  // A configuration in JSON has null for what is unset.
  ['an address that is null', { baseUrl: null }, /^baseUrl: is not an address; /],
  ['header values of another type', { ...whole, headers: { 'X-A': 1, 'X-B': undefined } }, /value of X-A is not a text .*\n.* value of X-B is not a text /],
  ['an empty selection', { ...whole, only: [] }, /only/],
  ['a key in place of a rule', { ...whole, only: [whole.apiKey] }, /^only: "\$STORE_API_KEY" is not a rule/],
  ['values of another type', { ...whole, ...wrongTypes }, /^states: is not .*\nsignal: is not .*\nfetch: is not .*\nundoPath: is not .*\nenv: is not (.|\n)*headers: is not a header/],
])('judge of %s throws a ConfigurationError, and sends nothing', async (_title, options, message) => {
  const transport = { limitMs: 1_000, connect: () => expect.fail('a request is sent') }
  const error = await judge({ ...options, transport }).catch(each => each)
  expect(error).toBeInstanceOf(ConfigurationError)
  expect(error.message).toMatch(message)
})

// biome-ignore format: a table
it.each<[string, () => unknown]>([
  ['judgeEach', () => judgeEach({ nonsense: true } as JudgeOptions).next()],
  ['referenceStore', async () => packagedStore({ nonsense: true } as object)],
  ['serve', () => serve(packagedStore(), { nonsense: true } as object)],
  ['judge, in place of its options', () => judge([{ nonsense: true }] as JudgeOptions)],
])('%s has no unknown option either', async (_name, call) => {
  const called = call()
  await expect(called).rejects.toThrow(ConfigurationError)
  await expect(called).rejects.toThrow(/^nonsense: is not an option of |^judge\(\): takes an object of options/)
})

it('no undo file is written for the reference store, which ends with the run', async () => {
  const undoPath = join(newFolder(), 'undo.json')
  const report = await judge({ reference: true, undoPath, only: ['update-replaces'], seed: 1 })
  expect(report.verdict).toBe('partial')
  expect(existsSync(undoPath)).toBe(false)
})

it('a store that answers 500 to everything passes no gating rule', async () => {
  const transport = inProcess(async () => ({ status: 500, headers: [] }))
  const { states: _states, only: _only, ...rest } = whole
  const { verdict, counts } = await judge({ ...rest, transport })
  expect([verdict, counts.passed]).toEqual(['nonconformant', 0])
})

it('judgeEach yields each rule once, and returns the report; an empty list counts as unset', async () => {
  const each = judgeEach(inside({ pendingOrders: [], shippedOrders: [], skip: [] }).options)
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
  const { states: _states, ...rest } = options
  const { verdict, rules } = await judge({ ...rest, ...own, pets: [], ...named, only: [id] })
  expect(verdict).toBe('incomplete')
  expect(rules.find(rule => rule.id === id)).toMatchObject({ outcome: 'untested', need: expect.stringMatching(need) })
})

it('one request at a time leaves only rules about simultaneous requests untested', async () => {
  const { only: _only, ...all } = inside({ concurrency: 1 }).options
  const untested = (await judge(all)).rules.filter(({ outcome }) => outcome === 'untested')
  const need = 'run with --concurrency 2 or more'
  expect(untested.map(each => `${each.id}: ${each.need}`).sort()).toEqual([
    ...operationIds.map(() => `beside-anything: ${need}`),
    `cancel-race-once: ${need}`,
  ])
})
