import { describe, expect, it } from 'vitest'
import { referenceStore } from '../reference/index.ts'
import { namedIn } from '../selfcheck/judged-store.ts'
import { judge } from './judge.ts'
import type { Fetch, JudgeOptions } from './options.ts'

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

describe.concurrent.each(Object.keys(ways) as (keyof typeof ways)[])(
  'a list that cannot be read is not taken for an empty one: orders and pets are %s',
  way => {
    const whole = judged(way, /$^/, 0)

    it.each([
      [20, 'of both', 'the connection is reset', /inventory$|orders$/],
      [0, 'of the inventory', 'an error', /inventory$/],
      [30, 'of the inventory', 'no array', /inventory$/],
      [0, 'of the orders', 'no array', /orders$/],
      [30, 'of the orders', 'an error', /orders$/],
    ] as const)('after %i lists %s: %s', async (from, _list, how, path) => {
      const before = await whole
      for (const [id, { outcome, message, need = '' }] of await judged(way, path, from, breaks[how])) {
        if (before.get(id)?.outcome === outcome) continue
        expect(outcome === 'inapplicable' ? [id, message] : undefined).toBeUndefined()
        if (outcome !== 'untested') continue
        expect([id, message]).toEqual([
          id,
          expect.stringMatching(/could not be read|does not show the stock/),
        ])
        expect([id, need]).toEqual([id, expect.stringMatching(/^fix GET /)])
      }
    })
  },
)
