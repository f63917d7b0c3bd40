import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { bench } from '../cli/testing/bench.ts'

const { run, plain, closing } = bench()

/** A process that lives as long as these tests. */
const living = (): number => {
  const child: ChildProcess = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'])
  closing(() => child.kill('SIGKILL'))
  return child.pid as number
}
const ended = (): number => spawnSync(process.execPath, ['-e', '']).pid

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
      const pid = living()
      const { code, stderr, store, read } = await lockedBy(`${pid}\n`, args)
      expect(code).toBe(2)
      expect(stderr).toMatch(new RegExp(`in use by another run, process ${pid} .* --out\\. Nothing was sent`))
      expect(store.requests).toEqual([])
      expect(read('running.pid'), 'the lock stays').toBe(`${pid}\n`)
    },
  )

  it('a lock of a process that has ended is taken over, and removed at the end', async () => {
    const { code, stderr, has } = await lockedBy(`${ended()}\n`)
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
