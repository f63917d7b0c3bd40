import { describe, expect, it } from 'vitest'
import { bench } from '../cli/testing/bench.ts'

const { run, plain } = bench()

describe.concurrent('the command ends when it is complete', () => {
  it('and with 2, the reason and no verdict if a states module calls process.exit(0)', async () => {
    const ended = await run(['run', '--only', 'list-orders-200', '--states-module', './states.mjs'], {
      env: (await plain()).env,
      files: { 'states.mjs': 'export const setup = () => process.exit(0)' },
      ownProcess: true,
    })
    expect(ended.code).toBe(2)
    expect(ended.stderr).toMatch(/^The process ended before .*states module called process\.exit/)
    expect(ended.has('reports/conformance.json')).toBe(false)
  })

  it('after a slow reader has read all output; a reader that stops does not make it fail', async () => {
    const all = await run(['list', '--json'], {
      meanwhile(child) {
        child.stdout.pause()
        setTimeout(() => child.stdout.resume(), 500)
      },
    })
    expect(JSON.parse(all.stdout)).toContainEqual(expect.objectContaining({ id: 'list-orders-200' }))
    const cut = await run(['list', '--json'], { meanwhile: child => void child.stdout.destroy() })
    expect([cut.code, cut.stderr]).toEqual([0, ''])
  })
})
