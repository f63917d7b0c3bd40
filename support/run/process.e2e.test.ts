import { describe, expect, it } from 'vitest'
import { bench } from '../cli/testing/bench.ts'

const { run, reference } = bench()

/** Judges one rule with a states module of this source. */
const withModule = async (source: string) => {
  const store = await reference()
  return run(['run', '--only', 'list-orders-200', '--states-module', './states.mjs'], {
    env: { STORE_BASE_URL: store.baseUrl, STORE_API_KEY: store.apiKey },
    files: { 'states.mjs': source },
    ownProcess: true,
  })
}

describe.concurrent('the command ends when it is complete, with its own exit code', () => {
  it('even if a states module leaves a timer running', async () => {
    const ended = await withModule('setInterval(() => undefined, 1000)\nexport const setup = () => undefined')
    expect(ended.code).toBe(0)
    expect(ended.stdout).toMatch(/Reports: .*conformance\.html; for programs, conformance\.json\.\n$/)
  })

  it('if a states module calls process.exit(0), with 2, the reason and no verdict', async () => {
    const ended = await withModule('export const setup = () => process.exit(0)')
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
