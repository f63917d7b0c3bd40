import { faker } from '@faker-js/faker/locale/base'
import { expect, it } from 'vitest'
import { type ReferenceStore, referenceStore } from './store.ts'

// What the interface determines is judged by the suite itself.

const ask = (store: ReferenceStore, path: string, method = 'GET') =>
  store.fetch(
    new Request(`http://store.test/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${store.apiKey}` },
    }),
  )

it('does not repeat the path in a refusal, because it may contain a key', async () => {
  const store = referenceStore()
  const response = await ask(store, `/store/orders/${store.apiKey}`, 'DELETE')
  expect(await response.text()).not.toContain(store.apiKey)
})

it('answers an internal error with 500, without details', async () => {
  const errors: unknown[] = []
  const broken = () => ({
    selectEntries: () => {
      throw new Error('at secret.ts:12')
    },
  })
  const store = referenceStore({ overrides: [broken], onError: error => errors.push(error) })
  const response = await ask(store, '/inventory')
  expect([response.status, errors.length]).toEqual([500, 1])
  expect(await response.text()).not.toContain('secret')
  expect(response.headers.get('cache-control')).toBe('no-store')
})

it('has the same demo data for the same seed, and leaves the shared faker as it is', async () => {
  const listed = async (seed: number) => (await ask(referenceStore({ seed }), '/store/orders')).text()
  faker.seed(5)
  const expected = faker.number.int()
  faker.seed(5)
  expect(await listed(7)).toBe(await listed(7))
  expect(await listed(7)).not.toBe(await listed(8))
  expect(faker.number.int()).toBe(expected)
})
