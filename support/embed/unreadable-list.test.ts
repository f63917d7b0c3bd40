import { expect, it } from 'vitest'
import { referenceStore } from '../reference/index.ts'
import { namedIn } from '../selfcheck/prove.ts'
import type { Fetch, JudgeOptions } from './judge.ts'
import { judge } from './judge.ts'

type Break = (request: Request) => Response

const breaks: Readonly<Record<string, Break>> = {
  'the connection is reset': () => {
    throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
  },
  'an error': () => new Response('{}', { status: 500 }),
  'no array': () => Response.json({ data: [] }),
}

const ways = {
  arranged: ({ states }) => ({ states }),
  named: namedIn,
  any: store => ({ ...namedIn(store), pets: 'any' }),
} as const satisfies Record<string, (store: ReturnType<typeof referenceStore>) => Partial<JudgeOptions>>

/** Judges a store that answers its lists wrongly from the nth on, for a while. */
async function judged(way: keyof typeof ways, path: RegExp, from: number, answer?: Break) {
  const store = referenceStore()
  let lists = 0
  const fetch: Fetch = request => {
    const isList = request.method === 'GET' && path.test(request.url)
    if (isList && request.headers.get('authorization') === `Bearer ${store.apiKey}`) lists += 1
    return answer && isList && lists > from && lists < from + 40 ? answer(request) : store.fetch(request)
  }
  const { rules } = await judge({ fetch, apiKey: store.apiKey, ...ways[way](store), seed: 1 })
  return new Map(rules.map(each => [`${each.id} ${each.operation}`, each]))
}

const wholes = new Map(Object.keys(ways).map(way => [way, judged(way as keyof typeof ways, /$^/, 0)]))

// biome-ignore format: a table
it.concurrent.each<[keyof typeof ways, from: number, of: string, how: string, RegExp]>([
  ['arranged', 20, 'both', 'the connection is reset', /inventory$|orders$/],
  ['arranged', 0, 'the inventory', 'an error', /inventory$/],
  ['arranged', 30, 'the orders', 'an error', /orders$/],
  ['named', 0, 'the orders', 'no array', /orders$/],
  ['named', 30, 'the inventory', 'no array', /inventory$/],
  ['any', 20, 'both', 'the connection is reset', /inventory$|orders$/],
  ['any', 0, 'the inventory', 'an error', /inventory$/],
])('a list that cannot be read is not taken for an empty one: orders and pets are %s, after %i lists of %s %s', async (way, from, _of, how, path) => {
  const before = await wholes.get(way)
  for (const [id, { outcome, message, need = '' }] of await judged(way, path, from, breaks[how])) {
    if (before?.get(id)?.outcome === outcome) continue
    expect(outcome === 'inapplicable' ? [id, message] : undefined).toBeUndefined()
    if (outcome !== 'untested') continue
    expect([id, message]).toEqual([id, expect.stringMatching(/could not be read|does not show the stock/)])
    expect([id, need]).toEqual([id, expect.stringMatching(/^fix GET /)])
  }
})
