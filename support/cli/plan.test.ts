import { expect, it } from 'vitest'
import { bench } from './testing/bench.ts'

const { run, plain, reference } = bench()

it('sends only GET requests, and names what a run may change', async () => {
  const store = await plain()
  const args = ['plan', '--pets', 'any', '--only', 'update-replaces', '--rate', '50/s']
  const ended = await run(args, { env: store.env })
  expect(ended.code, ended.stderr).toBe(0)
  expect(new Set(store.requests.map(({ method }) => method))).toEqual(new Set(['GET']))
  expect(ended.stdout).toMatch(/^ +\d+ {2}PATCH +\/inventory\/\{petId\} +named in the settings$/m)
  expect(ended.stdout).toContain('the stock of any listed pet: is changed, and restored')
  expect(ended.stdout).toMatch(/and 50 are sent per second/)
  expect(ended.stdout).not.toContain(store.key)
  expect(ended.has('reports')).toBe(false)
})

it('counts the requests that a run sends to a conformant store', async () => {
  const { env } = await reference()
  const args = ['--seed', '3', '--only', 'cancel-pending-204,cancel-unknown-404']
  const [plan, judged] = await Promise.all([run(['plan', ...args], { env }), run(args, { env })])
  const planned = Number(/(\d+) {2}in all/.exec(plan.stdout)?.[1])
  expect(judged.code).toBe(0)
  // A retried request or a closed connection makes a small difference.
  expect(Math.abs(planned - judged.report().requests)).toBeLessThan(planned / 10)
})

it('with --read-only, a run changes nothing', async () => {
  const { env } = await plain()
  const { stdout } = await run(['plan', '--read-only'], { env })
  expect(stdout).toContain('nothing: the run sends only GET requests')
  expect(stdout).not.toMatch(/^ +\d+ {2}(DELETE|PATCH)/m)
})
