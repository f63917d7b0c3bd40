import { describe, expect, it } from 'vitest'
import { type Override, referenceStore } from '../reference/index.ts'
import { faults } from '../run/faults.ts'
import { ConfigurationError, itemCalled } from '../settings/mistake.ts'
import { openCheck, rules, StoreUnreachable } from './check.ts'
import type { JudgeOptions } from './options.ts'
import { optionsFor } from './testing/stores.ts'

const cancelAnswers200 = itemCalled('cancel-200', 'fault', faults).override
const noSchemeNamed: Override = base => ({
  finish: async (answer, ctx) => {
    const { headers, ...rest } = await base.finish(answer, ctx)
    return { ...rest, headers: headers.filter(([name]) => name.toLowerCase() !== 'www-authenticate') }
  },
})
const open = (options: JudgeOptions = {}, overrides: readonly Override[] = []) => {
  const store = referenceStore({ overrides })
  return openCheck({ ...optionsFor(store), states: store.states, ...options })
}
const ruleCalled = (id: string) => itemCalled(id, 'rule', rules)

describe('a store that is not conformant', () => {
  it('fails a rule that could not be determined or was not tested', async () => {
    for (const [id, overrides, options, message] of [
      ['cancel-twice-refused', [cancelAnswers200], {}, 'determined: cancel-pending-204 must hold first'],
      ['cancel-pending-204', [], { readOnly: true }, 'not tested: '],
    ] as const) {
      const { check, close } = await open(options, overrides)
      await expect(check(ruleCalled(id))).rejects.toThrow(message)
      await close()
    }
  })

  it('skips a rule that was not tested, is inapplicable or advice, if the runner can skip', async () => {
    const { check, close } = await openCheck(optionsFor(referenceStore({ overrides: [noSchemeNamed] })))
    const reasonFor = async (id: string) => {
      const reasons: string[] = []
      await check(ruleCalled(id), reason => reasons.push(reason))
      return reasons.join()
    }
    expect(await reasonFor('list-orders-200')).toBe('')
    expect(await reasonFor('cancel-pending-204')).toMatch(/^not tested: .*--pending-orders/)
    expect(await reasonFor('auth-revoked-key-list-orders')).toMatch(
      /^not applicable: .*STORE_REVOKED_API_KEY/,
    )
    expect(await reasonFor('auth-www-authenticate-list-orders')).toMatch(/^advice not followed: .*Bearer/)
    await close()
  })

  it('fails an advisory rule only if the gate is advisory; else the outcome is returned', async () => {
    const advice = ruleCalled('auth-www-authenticate-list-orders')
    const lenient = await open({}, [noSchemeNamed])
    expect((await lenient.check(advice)).outcome).toBe('failed')
    await lenient.close()
    const strict = await open({ gate: 'advisory' }, [noSchemeNamed])
    await expect(strict.check(advice)).rejects.toThrow(/WWW-Authenticate/)
    await strict.close()
  })
})

describe('the rules of a run', () => {
  it('are those of its profile and selection; checking another rule throws', async () => {
    const stable = await open({ profile: '1.0.0-stable', skip: ['auth-*'] })
    expect(stable.rules.length).toBeGreaterThan(10)
    expect(stable.rules.some(({ operation }) => operation === 'updateInventory')).toBe(false)
    expect(stable.rules.some(({ id }) => id.startsWith('auth-'))).toBe(false)
    await expect(stable.check(ruleCalled('update-200'))).rejects.toThrow(/is not part of this run/)
    await stable.close()
  })

  it('are judged only on request: closing judges no further ones', async () => {
    const store = referenceStore()
    let requests = 0
    const fetch = (request: Request) => {
      requests += 1
      return store.fetch(request)
    }
    const { check, close } = await openCheck({ fetch, apiKey: store.apiKey, states: store.states })
    await check(ruleCalled('list-orders-200'))
    const asked = requests
    await close()
    expect(requests).toBe(asked)
  })
})

it('openCheck fails at once if there is no store, or the address comes from a variable that is not set', async () => {
  const nowhere = { baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'a-key' }
  await expect(openCheck(nowhere)).rejects.toThrow(StoreUnreachable)
  const unset = { ...nowhere, baseUrl: undefined } as unknown as { apiKey: string }
  await expect(openCheck(unset)).rejects.toThrow(ConfigurationError)
})

it('close tells what could not be restored', async () => {
  const store = referenceStore()
  const { petIds: pets = [] } = store.states.setup('pets', { count: 2, quantity: 77 })
  // The store refuses its first stock, 77, in an update.
  const fetch = async (request: Request) =>
    (await request.clone().text()).includes('77') ? new Response(null, { status: 400 }) : store.fetch(request)
  const { check, close } = await openCheck({ fetch, apiKey: store.apiKey, pets, seed: 1 })
  await check(ruleCalled('update-200')).catch(() => undefined)
  await expect(close()).rejects.toThrow(/was 77 and is 86 now; it could not be restored/)
})

it('close throws no error if only a GET request had to be repeated', async () => {
  const store = referenceStore()
  let requests = 0
  const fetch = async (request: Request) => {
    requests += 1
    if (requests === 1) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
    return store.fetch(request)
  }
  const options = { fetch, apiKey: store.apiKey, states: store.states, only: ['list-orders-200'] }
  const { check, close, report } = await openCheck(options)
  await check(ruleCalled('list-orders-200'))
  await close()
  expect((await report()).warnings).toEqual([expect.stringMatching(/^1 GET request was sent a second time/)])
})
