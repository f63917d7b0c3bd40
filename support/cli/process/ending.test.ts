import { describe, expect, it } from 'vitest'
import { bench } from '../testing/bench.ts'

const { run, reference } = bench()

/** Judges one rule, with a states module that does this and arranges nothing. */
const withModule = async (does: string) => {
  const store = await reference()
  return run(['--only', 'list-orders-200', '--states-module', './states.mjs'], {
    env: { STORE_BASE_URL: store.baseUrl, STORE_API_KEY: store.apiKey },
    files: { 'states.mjs': does },
  })
}

describe.concurrent('the command ends when it is through, and says itself how', () => {
  it('whatever a states module leaves open', async () => {
    const ended = await withModule('setInterval(() => undefined, 1000)\nexport const setup = () => undefined')
    expect(ended.code).toBe(0)
    expect(ended.stdout).toMatch(/Reports: .*conformance\.json and beside it\.\n$/)
  })

  it.each([0, 1])(
    'a states module that ends the process with %i gives no verdict: exit 2, and why',
    async code => {
      const ended = await withModule(`export const setup = () => process.exit(${code})`)
      expect(ended.code).toBe(2)
      expect(ended.stderr).toMatch(/^The process was ended before .*states module called process\.exit/)
      expect(ended.has('reports/conformance.json')).toBe(false)
    },
  )

  it('all that is printed arrives, also where it is taken late; whoever stops reading makes nothing fail', async () => {
    const all = await run(['openapi'], {
      meanwhile(child) {
        child.stdout.pause()
        setTimeout(() => child.stdout.resume(), 500)
      },
    })
    expect(Object.keys(JSON.parse(all.stdout))).toContain('paths')
    const cut = await run(['list', '--json'], { meanwhile: child => void child.stdout.destroy() })
    expect([cut.code, cut.stderr]).toEqual([0, ''])
  })
})
