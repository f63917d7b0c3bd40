import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
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

/**
 * Sends the signal to a run as soon as it has changed the stock of pet 1. From then on, each update is answered late, so that the
 * run is in the middle of one.
 */
const stoppedBy = async (signal: NodeJS.Signals, way: keyof typeof judges = 'store-conformance run') => {
  let [hasLocked, hasEnded] = [false, false]
  let onChange: () => void
  const changed = new Promise<void>(resolve => {
    onChange = resolve
  })
  const store = await plain(async ({ method }, { stock }, next) => {
    const answer = next()
    if (hasEnded || method !== 'PATCH' || stock.get('1') === 7n) return answer
    onChange()
    await sleep(400)
    return answer
  })
  const before = new Map(store.stock)
  const env = { ...store.env, ...named }
  const folder = newFolder()
  const ended = await judges[way]({
    env,
    folder,
    meanwhile: child =>
      void changed.then(() => {
        hasLocked = readFileSync(join(folder, 'reports/running.pid'), 'utf8').startsWith(`${child.pid} `)
        child.kill(signal)
      }),
  })
  hasEnded = true
  // An update that was sent is made before anything else happens: later, it would be one of another client.
  await sleep(50)
  return { store, before, env, ended, hasLocked }
}

describe.concurrent('a run that is stopped', () => {
  it.each(Object.keys(judges) as (keyof typeof judges)[])(
    '%s: by Ctrl-C restores stock, and writes an incomplete report',
    async way => {
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
    },
  )

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
      /an earlier run on \S+ did not restore the stock of pets? .*reports\/undo-1\.json keeps it\. To restore it/,
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
