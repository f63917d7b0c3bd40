import { expect, it } from 'vitest'
import { namedIn } from '../selfcheck/prove.ts'
import { type Fetch, type JudgeOptions, judge, type ReferenceStore, referenceStore } from './index.ts'

const wrong = {
  'no answer': () => {
    throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
  },
  'an error': () => new Response('{}', { status: 500 }),
  'no array': () => Response.json({ data: [] }),
} satisfies Record<string, Fetch>

const ways = {
  arranged: ({ states }: ReferenceStore): JudgeOptions => ({ states }),
  named: (store: ReferenceStore): JudgeOptions => namedIn(store),
  any: (store: ReferenceStore): JudgeOptions => ({ ...namedIn(store), pets: 'any' }),
}

/** Judges a store that answers its lists otherwise from the nth on, for a while. */
async function judged(way: keyof typeof ways, path: RegExp, from: number, answer?: Fetch) {
  const store = referenceStore()
  let lists = 0
  const fetch: Fetch = request => {
    const isList = request.method === 'GET' && path.test(request.url)
    if (isList && request.headers.get('authorization') === `Bearer ${store.apiKey}`) lists += 1
    return answer && isList && lists > from && lists < from + 40 ? answer(request) : store.fetch(request)
  }
  const { rules } = await judge({ fetch, apiKey: store.apiKey, ...ways[way](store), seed: 1 })
  return rules
}

const NONE = /$^/
const wholes = {
  arranged: judged('arranged', NONE, 0),
  named: judged('named', NONE, 0),
  any: judged('any', NONE, 0),
}

// biome-ignore format: a table
it.concurrent.each<[keyof typeof ways, from: number, of: string, RegExp, how: keyof typeof wrong]>([
  ['arranged', 20, 'both', /inventory$|orders$/, 'no answer'],
  ['arranged', 0, 'the inventory', /inventory$/, 'an error'],
  ['arranged', 30, 'the orders', /orders$/, 'an error'],
  ['named', 0, 'the orders', /orders$/, 'no array'],
  ['named', 30, 'the inventory', /inventory$/, 'no array'],
  ['any', 20, 'both', /inventory$|orders$/, 'no answer'],
  ['any', 0, 'the inventory', /inventory$/, 'an error'],
])('a list that cannot be read is not taken for an empty one: orders and pets are %s, after %i lists of %s %s is %s', async (way, from, _of, path, how) => {
  const before = await wholes[way]
  for (const [at, { id, outcome, message, need = '' }] of (await judged(way, path, from, wrong[how])).entries()) {
    if (before[at]?.outcome === outcome) continue
    expect([id, outcome, message]).not.toEqual([id, 'inapplicable', message])
    if (outcome !== 'untested') continue
    expect([id, message]).toEqual([id, expect.stringMatching(/could not be read|does not show the stock/)])
    expect([id, need]).toEqual([id, expect.stringMatching(/^fix GET /)])
  }
})
