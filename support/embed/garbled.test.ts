import fc from 'fast-check'
import { expect, it } from 'vitest'
import { judge } from './index.ts'

const KEY = 'Garbled-Key-4711'
const LISTS: Readonly<Record<string, string>> = {
  '/v1/store/orders': '[{"id":1,"petId":2,"quantity":3,"shipDate":"2026-11-02T09:30:00Z","complete":false}]',
  '/v1/inventory': '[{"petId":2,"quantity":3,"status":"available"}]',
}

/** How a store garbles one of its responses. The suite waits after a 429, and sends the request again. */
type Garbling = typeof garbling extends fc.Arbitrary<infer Value> ? Value : never
const garbling = fc.record({
  status: fc.constantFrom(undefined, 200, 204, 302, 401, 404, 409, 418, 500),
  at: fc.nat({ max: 100 }),
  remove: fc.nat({ max: 20 }),
  insert: fc.oneof(
    fc.string({ unit: 'binary', maxLength: 10 }),
    fc.constantFrom('[', '{"', '\u0000', '\\', '1e999', 'null', '"__proto__":1,', '-0', '\ufeff'),
  ),
  type: fc.constantFrom('application/json', 'text/html', 'application/json; charset=utf-16', ''),
})

it('a store that garbles every response is never conformant, and causes no internal error in the suite', async () => {
  const judged = async (garblings: readonly Garbling[]) => {
    let nth = 0
    const fetch = ({ url, headers }: Request) => {
      const given = headers.get('authorization') === `Bearer ${KEY}` ? 200 : 401
      const { status = given, at, remove, insert, type } = garblings[nth++ % garblings.length] as Garbling
      const whole = LISTS[new URL(url).pathname] ?? '{"code":"x","message":"x","status":401}'
      const text = status === 204 ? null : whole.slice(0, at) + insert + whole.slice(at + remove)
      return new Response(text, { status, headers: type ? { 'content-type': type } : {} })
    }
    const { verdict, rules } = await judge({ apiKey: KEY, fetch })
    expect(verdict).not.toBe('conformant')
    expect(rules.filter(({ message }) => message?.includes('internal error'))).toEqual([])
  }
  await fc.assert(fc.asyncProperty(fc.array(garbling, { minLength: 1, maxLength: 5 }), judged), {
    numRuns: 8,
  })
})
