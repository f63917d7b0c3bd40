import { expect, it } from 'vitest'
import { exchangeOf } from '../judge/testing/parts.ts'
import { opening } from './opening.ts'

function store(connection: 'kept' | 'fresh') {
  const asked: (string | undefined)[] = []
  const listInventory = async ({ credential }: { credential?: { name: string } }) => {
    asked.push(credential?.name)
    return { ...exchangeOf({ status: 401 }), connection }
  }
  const onOne: Parameters<ReturnType<typeof opening>>[0] = use => use({ listInventory })
  return { asked, onOne }
}

it('a store that keeps connections gets requests without a key', async () => {
  const { asked, onOne } = store('kept')
  expect((await opening()(onOne)).credential?.name).toBe('no-header')
  expect(asked).toEqual(['no-header', 'no-header'])
})

it('a store that closes a connection after a rejection gets ordinary requests', async () => {
  const { onOne } = store('fresh')
  expect(await opening()(onOne)).toEqual({})
})

it('the run tests once whether the store keeps connections', async () => {
  const { asked, onOne } = store('kept')
  const open = opening()
  await Promise.all([open(onOne), open(onOne)])
  expect(asked).toHaveLength(2)
})
