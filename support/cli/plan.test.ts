import { expect, it } from 'vitest'
import { namedIn } from '../selfcheck/prove.ts'
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

it.each(['arranged', 'named'])('counts the requests that a run sends about %s orders and pets', async how => {
  const { env: arranged, ...store } = await reference()
  const { STORE_STATES_URL: _url, ...address } = arranged
  const { pendingOrders, shippedOrders, pets } = namedIn(store)
  const ids = `--pending-orders ${pendingOrders} --shipped-orders ${shippedOrders} --pets ${pets}`
  const only = '--seed 3 --only cancel-pending-204,cancel-shipped-409,update-replaces'
  const [env, args] = how === 'named' ? [address, `${only} ${ids}`.split(' ')] : [arranged, only.split(' ')]
  const plan = await run(['plan', ...args], { env })
  expect(plan.code, plan.stderr).toBe(0)
  const planned = Number(/(\d+) {2}in all/.exec(plan.stdout)?.[1])
  const judged = await run(args, { env })
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
