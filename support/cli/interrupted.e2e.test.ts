import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newFolder } from '../wire/testing/folder.ts'
import { bench, type CommandInput } from './testing/bench.ts'
import { named } from './testing/store.ts'

const { run, vitest, plain } = bench()

/** Both ways to judge updateInventory. */
const judges = {
  'store-conformance run': (given: CommandInput) => run(['run', '--only', 'update-*'], given),
  'npx vitest': (given: CommandInput) => vitest(['suites/update-inventory'], given),
}
const ways = Object.keys(judges) as (keyof typeof judges)[]

/** A store that a run can be stopped in the middle of: once the stock of pet 1 has changed, each update is delayed. */
const slowStore = async () => {
  let slow = true
  let onChange: () => void
  const changed = new Promise<void>(resolve => {
    onChange = resolve
  })
  const delays: Promise<unknown>[] = []
  const store = await plain({
    async intercept({ method, socket }, _response, { stock }) {
      if (!slow || method !== 'PATCH' || stock.get('1') === 7n) return false
      onChange()
      const delay = new Promise(resolve => setTimeout(resolve, 400))
      delays.push(delay)
      await delay
      // Else the update that a killed run was waiting for could be the one that restores the stock.
      return socket.destroyed
    },
  })
  /** The updates that were sent are made before anything else happens: later ones would be those of another client. */
  const hurry = async () => {
    slow = false
    await Promise.all(delays)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  return { store, before: new Map(store.stock), env: { ...store.env, ...named }, changed, hurry }
}

/** Sends the signal to a run as soon as it has changed stock. */
const stoppedBy = async (signal: NodeJS.Signals, way: keyof typeof judges = 'store-conformance run') => {
  const { hurry, changed, ...slow } = await slowStore()
  const at = newFolder()
  let hasLocked = false
  const ended = await judges[way]({
    env: slow.env,
    folder: at,
    meanwhile: child =>
      void changed.then(() => {
        hasLocked = readFileSync(join(at, 'reports/running.pid'), 'utf8').startsWith(`${child.pid} `)
        child.kill(signal)
      }),
  })
  await hurry()
  return { ...slow, ended, hasLocked }
}

describe.concurrent('a run that is stopped', () => {
  it.each(ways)('%s: by Ctrl-C restores stock, and writes an incomplete report', async way => {
    const { store, before, ended, hasLocked } = await stoppedBy('SIGINT', way)
    expect(store.stock).toEqual(before)
    expect(ended.code).toBe(3)
    expect(ended.stderr).toContain('Stopping: changed stock is being restored.')
    const { verdict, reason, rules, effects } = ended.report()
    expect([verdict, reason]).toEqual(['incomplete', expect.stringContaining('stopped before its end')])
    const open = rules.filter(({ outcome }) => outcome === 'untested' || outcome === 'cantTell')
    expect(new Set(open.map(({ outcome, message }) => `${outcome}: ${message}`))).toEqual(
      new Set(['untested: The run was stopped before its end.']),
    )
    expect(effects?.left).toEqual([])
    expect(ended.stdout + ended.stderr).toMatch(
      /^This run .*changed and restored the stock of \d named pets? \(1.*\. Nothing is left to restore\.$/m,
    )
    if (way === 'store-conformance run') expect(ended.stdout.split('\n').length).toBeLessThan(15)
    const left = ['reports/junit.xml', 'reports/undo.json', 'reports/running.pid'].map(ended.has)
    expect([hasLocked, ...left]).toEqual([true, true, false, false])
  })

  it('by an uncaught error of the states module ends as after Ctrl-C, and reports the error without its stack', async () => {
    const { store, before, env, hurry } = await slowStore()
    // The file exists while stock is changed.
    const states = `import { existsSync } from 'node:fs'
      const check = () => { if (existsSync('reports/undo.json')) throw new Error('the pool of ${store.key} is gone') }
      export const setup = () => void setInterval(check, 20)`
    const ended = await judges['store-conformance run']({
      env: { ...env, STORE_STATES_MODULE: './states.mjs' },
      files: { 'states.mjs': states },
      ownProcess: true,
    })
    await hurry()
    expect(ended.stderr).not.toMatch(/^ +at /m)
    expect(ended.stderr).toMatch(
      /^\nStopping: Error: the pool of \$STORE_API_KEY is gone was thrown outside of every request, most likely by the states module .*\n/,
    )
    expect([ended.code, ended.report().verdict]).toEqual([3, 'incomplete'])
    expect(store.stock).toEqual(before)
    expect(ended.has('reports/undo.json')).toBe(false)
  })

  it('by SIGKILL leaves the old stock on disk: no later run overwrites it, and restore restores it', async () => {
    const { store, env, before, ended } = await stoppedBy('SIGKILL')
    expect(ended.code).toBe(null)
    expect(store.stock).not.toEqual(before)
    const undo = JSON.parse(ended.read('reports/undo.json'))
    expect(undo.baseUrl).toBe(store.baseUrl)
    expect(undo.pets).toContainEqual({ petId: '1', quantity: '7' })

    const { folder } = ended
    await run(['run', '--only', 'list-orders-200', '--read-only'], { env, folder })
    expect(JSON.parse(ended.read('reports/undo.json'))).toEqual(undo)
    const next = await run(['run', '--only', 'update-200'], { env, folder })
    expect(next.stdout).toMatch(
      /an earlier run on \S+ did not restore the stock of pets .*reports\/undo-1\.json keeps it\. To restore it/,
    )
    expect(JSON.parse(ended.read('reports/undo-1.json'))).toEqual(undo)
    const restored = await run(['restore'], { env: { STORE_API_KEY: store.key }, folder })
    expect([restored.code, restored.stdout]).toEqual([
      0,
      expect.stringMatching(/^Restored, and checked in the list: pet 1 from \d+ to 7/),
    ])
    expect(store.stock).toEqual(before)
    const again = await run(['restore'], { env, folder })
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('Nothing to restore')])
  })
})
