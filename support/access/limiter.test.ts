import { expect, it } from 'vitest'
import { limiter, type Turn } from './limiter.ts'

/** Tasks that end when the test ends them, and the names of those that run. */
function tasks(limit: number) {
  const line = limiter(limit)
  const atWork = new Map<string, () => void>()
  const begin = (name: string, turn: Turn = {}) =>
    line.run(() => new Promise<void>(resolve => atWork.set(name, resolve)), turn)
  const end = async (name: string) => {
    atWork.get(name)?.()
    atWork.delete(name)
    for (let times = 0; times < 5; times += 1) await Promise.resolve()
  }
  return { begin, end, names: () => [...atWork.keys()] }
}

it('starts as many tasks as the limit, and the next one when one ends', async () => {
  const { begin, end, names } = tasks(2)
  for (const name of ['a', 'b', 'c', 'd']) void begin(name)
  await end('nobody')
  expect(names()).toEqual(['a', 'b'])
  await end('a')
  expect(names()).toEqual(['b', 'c'])
})

it('keeps a task waiting until enough places are free, and starts no later task before it', async () => {
  const { begin, end, names } = tasks(3)
  for (const name of ['a', 'b']) void begin(name)
  void begin('all', { places: 3, urgent: true })
  void begin('late')
  await end('nobody')
  expect(names()).toEqual(['a', 'b'])
  await end('a')
  expect(names()).toEqual(['b'])
  await end('b')
  expect(names()).toEqual(['all'])
  await end('all')
  expect(names()).toEqual(['late'])
})

it('starts the next task of a scenario that has started few before those of one that has started many', async () => {
  const { begin, end, names } = tasks(2)
  for (const name of ['a', 'b', 'c', 'd']) void begin(name, { scenario: 'many at once' })
  void begin('one', { scenario: 'one after the other' })
  await end('nobody')
  await end('a')
  expect(names()).toEqual(['b', 'one'])
  await end('one')
  expect(names()).toEqual(['b', 'c'])
})

it('starts an urgent task before all that wait', async () => {
  const line = limiter(1)
  const order: string[] = []
  const run = (name: string, urgent = false) => line.run(async () => void order.push(name), { urgent })
  await Promise.all([run('first'), run('second'), run('urgent', true)])
  expect(order).toEqual(['first', 'urgent', 'second'])
})

it('gives all places to a task that needs more than the limit', async () => {
  const { begin, end, names } = tasks(2)
  void begin('all', { places: 8 })
  await end('nobody')
  expect(names()).toEqual(['all'])
})

it('frees the places of a task that fails', async () => {
  const line = limiter(1)
  await expect(line.run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await line.run(async () => 'next')).toBe('next')
})
