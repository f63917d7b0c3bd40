import { expect, it } from 'vitest'
import { exchangeOf } from '../judge/testing/parts.ts'
import { opening } from './opening.ts'

function store(connection: 'kept' | 'fresh') {
  const asked: (string | undefined)[] = []
  const list = async ({ credential }: { credential?: { name: string } }) => {
    asked.push(credential?.name)
    return { ...exchangeOf({ status: 401 }), connection }
  }
  return { asked, list }
}

it('a store that keeps connections gets requests without a key', async () => {
  const { asked, list } = store('kept')
  expect((await opening()(list)).credential?.name).toBe('no-header')
  expect(asked).toEqual(['no-header', 'no-header'])
})

it('a store that closes a connection after a rejection gets ordinary requests', async () => {
  const { list } = store('fresh')
  expect(await opening()(list)).toEqual({})
})

it('the run tests once whether the store keeps connections', async () => {
  const { asked, list } = store('kept')
  const open = opening()
  await Promise.all([open(list), open(list)])
  expect(asked).toHaveLength(2)
})
