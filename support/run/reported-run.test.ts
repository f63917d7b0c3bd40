import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { bench } from '../cli/testing/bench.ts'
import { birthOf } from './reported-run.ts'

const { run, plain } = bench()

/** The process of Vitest, which lives longer than these tests, and one that has ended. */
const [living, ended] = [process.ppid, spawnSync('true').pid]
const born = `${living} ${birthOf(living)}\n`

const RUN = ['run', '--only', 'list-orders-200']
const RESTORE = ['restore']

/** Runs a command in a folder with a lock file of this content. */
const lockedBy = async (content: string, args: readonly string[]) => {
  const store = await plain()
  const pets = [{ petId: '1', quantity: '7' }]
  const undo = { format: 'store-conformance-undo/1', baseUrl: store.baseUrl, pets }
  const result = await run([...args, '--out', '.'], {
    env: { ...store.env, STORE_PETS: '1' },
    files: { 'running.pid': content, ...(args === RESTORE && { 'undo.json': JSON.stringify(undo) }) },
  })
  return { ...result, store }
}

describe.concurrent('a reports folder takes one run at a time', () => {
  const wait = 'Wait until it has ended, or name another folder with --out.'
  it.each([
    [born, RUN, wait],
    [born, RESTORE, 'Wait until it has ended: it restores what it has changed.'],
    // As on systems without /proc.
    [
      `${living}\n`,
      RUN,
      `${wait} If process ${living} is not a run of store-conformance, remove running.pid.`,
    ],
  ])('while the process of lock %j is alive, %j exits 2 and sends nothing', async (lock, args, advice) => {
    const { code, stderr, store, read } = await lockedBy(lock, args)
    const used = `. is in use by another run, process ${living} (running.pid).`
    expect([code, stderr]).toEqual([2, `${used} ${advice} Nothing was sent.\n`])
    expect(store.requests).toEqual([])
    expect(read('running.pid'), 'the lock stays').toBe(lock)
  })

  const left = [
    ['of a process that has ended', `${ended} ${birthOf('self')}\n`],
    ['of a process whose id another one has now', born.replace(/\d+\n$/, '1\n')],
    ['of a process before the last boot', born.replace(/ [^:]+/, ' 00000000-0000-0000-0000-000000000000')],
    ['that was written in part', '47'],
  ] as const
  it.each(left.flatMap(each => [RUN, RESTORE].map(args => [...each, args] as const)))(
    'a lock %s (%j) blocks nothing: %j',
    async (_whose, content, args) => {
      const { code, stdout, stderr, has } = await lockedBy(content, args)
      expect([code, stdout + stderr]).toEqual([0, expect.not.stringContaining('in use')])
      expect([has('running.pid'), has('undo.json')]).toEqual([false, false])
    },
  )
})
