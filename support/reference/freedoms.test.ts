import { withBody, withHeader } from './answer.ts'
import type { Override } from './decisions.ts'
import { addOrder } from './domain.ts'
import { canonicalDecimal } from './numbers.ts'
import { Refusal } from './refusal.ts'
import { ask, json, status, text } from './testing/ask.ts'
import { pet, showEach } from './testing/examples.ts'

const slowDown =
  (after: number): Override =>
  base => {
    let requests = 0
    return {
      operate: ctx =>
        ++requests > after
          ? base.refuse(
              new Refusal({
                status: 429,
                code: 'slow_down',
                message: 'Later.',
                headers: [['Retry-After', '1']],
              }),
              ctx,
            )
          : base.operate(ctx),
    }
  }

showEach({
  'a 400 is an HTML page (§7)': {
    override: () => ({
      finish: answer =>
        answer.status === 400
          ? withHeader(withBody(answer, '<h1>Bad Request</h1>'), 'Content-Type', 'text/html')
          : answer,
    }),
    probe: async store => {
      const reply = await ask(store, `PATCH /inventory/${pet(store)}`, { body: '{' })
      return [reply.status, reply.headers.get('content-type'), reply.text.startsWith('<h1>')]
    },
    plain: [400, 'application/json', false],
    changed: [400, 'text/html', true],
  },
  '5.0 is an integer (§2)': {
    override: base => ({
      readInteger: (literal, ctx) => base.readInteger(literal.replace(/\.0+$/, ''), ctx),
    }),
    probe: store => status(store, `PATCH /inventory/${pet(store)}`, { body: '{"quantity":5.0}' }),
    plain: 400,
    changed: 200,
  },
  'an update without quantity changes nothing (§4.4)': {
    override: base => ({
      readQuantity: (value, ctx) => (value === undefined ? undefined : base.readQuantity(value, ctx)),
    }),
    probe: async store => {
      const reply = await ask(store, `PATCH /inventory/${pet(store)}`, { body: '{}' })
      return [reply.status, JSON.parse(reply.text).quantity]
    },
    plain: [400, undefined],
    changed: [200, 3],
  },
  'the body is validated before the pet is looked up (§4.4)': {
    override: () => ({ checks: () => ['authentication', 'body', 'lookup'] }),
    probe: store => status(store, 'PATCH /inventory/1', { body: '{' }),
    plain: 404,
    changed: 400,
  },
  'a petId is a fraction (§2)': {
    override: () => ({ newPetId: n => `${n}.50` }),
    probe: async store => {
      const petId = pet(store)
      const reply = await ask(store, `PATCH /inventory/${petId}`, { body: '{"quantity":4}' })
      return [petId, reply.text]
    },
    plain: [501, '{"petId":501,"quantity":4,"status":"available"}'],
    changed: ['1.50', '{"petId":1.50,"quantity":4,"status":"available"}'],
  },
  'a petId with an exponent (§2)': {
    override: () => ({
      renderNumber: (decimal, place) => (place === 'entry.petId' ? `${canonicalDecimal(decimal)}` : decimal),
    }),
    probe: async store => {
      pet(store)
      return (await text(store, 'GET /inventory')).slice(0, 15)
    },
    plain: '[{"petId":501,"',
    changed: '[{"petId":501e0',
  },
  'members in another order, and further ones (§2)': {
    override: base => ({
      entryMembers: (entry, ctx) => ({
        ...Object.fromEntries(Object.entries(base.entryMembers(entry, ctx)).reverse()),
        updatedAt: 'null',
      }),
    }),
    probe: async store => {
      pet(store)
      return Object.keys((await json(store, 'GET /inventory'))[0])
    },
    plain: ['petId', 'quantity', 'status'],
    changed: ['status', 'quantity', 'petId', 'updatedAt'],
  },
  'a limit on requests (§8)': {
    override: slowDown(1),
    probe: async store => [await status(store, 'GET /inventory'), await status(store, 'GET /inventory')],
    plain: [200, 200],
    changed: [200, 429],
  },
  'latency (§8)': {
    override: base => ({
      finish: async (answer, ctx) => {
        await new Promise(resolve => setTimeout(resolve, 30))
        return base.finish(answer, ctx)
      },
    }),
    probe: async store => {
      const started = performance.now()
      await ask(store, 'GET /inventory')
      return performance.now() - started > 25
    },
    plain: false,
    changed: true,
  },
  "other people's traffic": {
    override: base => ({
      operate: ctx => {
        const otherOrder = { petId: 1n, quantity: 1n, shipDate: new Date(0), complete: false }
        addOrder(ctx.domain, { ...otherOrder, id: -BigInt(ctx.domain.orders.size + 1), state: 'pending' })
        return base.operate(ctx)
      },
    }),
    probe: async store => {
      await ask(store, 'GET /inventory')
      return (await json(store, 'GET /store/orders')).length
    },
    plain: 0,
    changed: 2,
  },
})
