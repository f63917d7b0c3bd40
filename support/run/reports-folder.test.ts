import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { bench } from '../cli/testing/bench.ts'

const { run, plain } = bench()

/** The process of Vitest, which lives longer than these tests, and one that has ended. */
const [living, ended] = [process.ppid, spawnSync('true').pid]

/** Runs a command in a folder with a lock file of this content. */
const lockedBy = async (content: string, args: readonly string[] = ['run', '--only', 'list-orders-200']) => {
  const store = await plain()
  const result = await run([...args, '--out', '.'], {
    env: store.env,
    files: { 'running.pid': content },
  })
  return { ...result, store }
}

describe.concurrent('a reports folder takes one run at a time', () => {
  it.each([['run', '--only', 'list-orders-200'], ['restore']])(
    'while the process in the lock is alive, %s exits 2 and sends nothing',
    async (...args) => {
      const { code, stderr, store, read } = await lockedBy(`${living}\n`, args)
      expect(code).toBe(2)
      expect(stderr).toMatch(
        new RegExp(`in use by another run, process ${living} .* --out\\. Nothing was sent`),
      )
      expect(store.requests).toEqual([])
      expect(read('running.pid'), 'the lock stays').toBe(`${living}\n`)
    },
  )

  it('a lock of a process that has ended is taken over, and removed at the end', async () => {
    const { code, stderr, has } = await lockedBy(`${ended}\n`)
    expect([code, stderr]).toEqual([0, ''])
    expect(has('running.pid')).toBe(false)
  })

  it('a lock without a process id is reported', async () => {
    const { code, stderr, store } = await lockedBy('')
    expect(code).toBe(2)
    expect(stderr).toMatch(/running\.pid does not contain a process id\. Remove it/)
    expect(store.requests).toEqual([])
  })
})
