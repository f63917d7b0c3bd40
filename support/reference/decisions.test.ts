import { expect, it } from 'vitest'
import type { Override } from './decisions.ts'
import { referenceStore } from './store.ts'
import { status, text } from './testing/ask.ts'

const onlyOnce: Override = base => {
  let requests = 0
  return {
    operate: ctx => (++requests > 1 ? { status: 429, headers: [] } : base.operate(ctx)),
  }
}

it('several overrides wrap each other, and each has its own state for each store', async () => {
  const trail =
    (name: string): Override =>
    base => ({ encode: (value, ctx) => base.encode(`${value} ${name}`, ctx) })
  const overrides = [trail('first'), trail('second'), onlyOnce]
  for (const store of [
    referenceStore({ demo: false, overrides }),
    referenceStore({ demo: false, overrides }),
  ]) {
    expect(await text(store, 'GET /inventory')).toBe('[] second first')
    expect(await status(store, 'GET /inventory')).toBe(429)
  }
})

it('in process, a body that the status forbids is left out', async () => {
  const chatty: Override = () => ({
    answerCancel: () => ({ status: 204, headers: [], body: Buffer.from('{}') }),
  })
  const store = referenceStore({ demo: false, overrides: [chatty] })
  expect(await status(store, 'DELETE /store/orders/1')).toBe(204)
})

it('decisions call each other with every override applied', async () => {
  const overrides: Override[] = [
    base => ({ answerUpdate: base.answerUpdate }),
    () => ({ stockStatus: () => 'discontinued' }),
  ]
  const store = referenceStore({ demo: false, overrides })
  expect(
    await text(store, `PATCH /inventory/${store.states.setup('pets').petIds?.[0]}`, {
      body: '{"quantity":4}',
    }),
  ).toContain('discontinued')
})
