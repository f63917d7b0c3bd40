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
async function judged(way: keyof typeof ways, path = /$^/, from = 0, answer?: Fetch) {
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

const wholes = { arranged: judged('arranged'), named: judged('named'), any: judged('any') }

// biome-ignore format: a table
it.concurrent.each<[keyof typeof ways, from: number, of: string, how: keyof typeof wrong, RegExp]>([
  ['arranged', 20, 'both', 'no answer', /inventory$|orders$/],
  ['arranged', 0, 'the inventory', 'an error', /inventory$/],
  ['arranged', 30, 'the orders', 'an error', /orders$/],
  ['named', 0, 'the orders', 'no array', /orders$/],
  ['named', 30, 'the inventory', 'no array', /inventory$/],
  ['any', 20, 'both', 'no answer', /inventory$|orders$/],
])('a list that cannot be read is not taken for an empty one: orders and pets are %s, after %i lists of %s %s', async (way, from, _of, how, path) => {
  const before = await wholes[way]
  for (const [at, { id, outcome, message, need = '' }] of (await judged(way, path, from, wrong[how])).entries()) {
    if (before[at]?.outcome === outcome) continue
    expect([id, outcome, message]).not.toEqual([id, 'inapplicable', message])
    if (outcome !== 'untested') continue
    expect([id, message]).toEqual([id, expect.stringMatching(/could not be read|does not show the stock/)])
    expect([id, need]).toEqual([id, expect.stringMatching(/^fix GET /)])
  }
})
