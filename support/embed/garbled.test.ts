import fc from 'fast-check'
import { expect, it } from 'vitest'
import { judge } from './judge.ts'

const LISTS: Readonly<Record<string, string>> = {
  '/v1/store/orders': '[{"id":1,"petId":2,"quantity":3,"shipDate":"2026-11-02T09:30:00Z","complete":false}]',
  '/v1/inventory': '[{"petId":2,"quantity":3,"status":"available"}]',
}

/** How a store garbles one of its responses. */
const garbling = fc.record({
  status: fc.oneof(
    fc.constantFrom(200, 204, 401, 404, 409, 500),
    // The suite waits after a 429, and sends the request again.
    fc.integer({ min: 200, max: 599 }).filter(status => status !== 429),
  ),
  keepsStatus: fc.boolean(),
  at: fc.nat({ max: 100 }),
  remove: fc.nat({ max: 20 }),
  insert: fc.oneof(
    fc.string({ unit: 'binary', maxLength: 10 }),
    fc.constantFrom('[', '{"', '\u0000', '\\', '1e999', 'null', '"__proto__":1,', '-0', '\ufeff'),
  ),
  type: fc.constantFrom('application/json', 'text/html', 'application/json; charset=utf-16', ''),
})

it('a store that garbles every response is never conformant, and causes no internal error in the suite', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(garbling, { minLength: 1, maxLength: 5 }), async garblings => {
      let nth = 0
      const report = await judge({
        baseUrl: 'http://store.test/v1',
        apiKey: 'Garbled-Key-4711',
        fetch: request => {
          const { status, keepsStatus, at, remove, insert, type } = garblings[
            nth++ % garblings.length
          ] as (typeof garblings)[0]
          const whole = LISTS[new URL(request.url).pathname] ?? '{"code":"x","message":"x","status":401}'
          const isKnown = request.headers.get('authorization') === 'Bearer Garbled-Key-4711'
          const text = whole.slice(0, at) + insert + whole.slice(at + remove)
          const given = keepsStatus ? (isKnown ? 200 : 401) : status
          return new Response([204, 205, 304].includes(given) ? null : text, {
            status: given,
            headers: type === '' ? {} : { 'content-type': type },
          })
        },
      })
      expect(report.verdict).not.toBe('conformant')
      expect(report.rules.filter(({ message }) => message?.includes('internal error'))).toEqual([])
    }),
    { numRuns: 8 },
  )
})
