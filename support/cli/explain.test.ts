import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { faults } from '../../suites/faults.ts'
import { bench } from './testing/bench.ts'

const { run, reference } = bench()

/** A run on a store that cancels an order twice. */
const broken = async () => {
  const overrides = faults.filter(({ id }) => id === 'cancel-twice-204').map(({ override }) => override)
  const store = await reference({ overrides })
  const env = {
    STORE_API_KEY: store.apiKey,
    STORE_BASE_URL: store.baseUrl,
    STORE_STATES_URL: store.statesUrl,
  }
  const ended = await run(['--only', 'cancel-pending-204,cancel-twice-refused'], { env })
  expect(ended.code, ended.stdout).toBe(1)
  const explain = (...args: string[]) => run(['explain', ...args], { folder: ended.folder })
  return { store, explain }
}

it('--from prints a script that sends the requests of the failure again, without the key', async () => {
  const { store, explain } = await broken()
  const script = await explain('cancel-twice-refused', '--from', 'reports')
  expect(script.code, script.stderr).toBe(0)
  expect(script.stdout).toContain('# cancel-twice-refused: expected a refusal such as 404 or 409, got 204\n')
  expect(script.stdout).not.toContain(store.apiKey)
  const valid = spawnSync('sh', ['-n'], { input: script.stdout, encoding: 'utf8' })
  expect([valid.status, valid.stderr]).toEqual([0, ''])

  const { stdout: http } = await explain(
    'cancel-twice-refused',
    '--from',
    join('reports', 'conformance.json'),
    '--http',
  )
  const [variable, ...requests] = http.split('\n').filter(line => /^(@|###|DELETE|Authorization)/.test(line))
  expect(variable).toBe('@STORE_API_KEY = {{$processEnv STORE_API_KEY}}')
  const request = [
    expect.stringMatching(/^### [12]\. .* \(the store answered 204\)$/),
    expect.stringContaining(`DELETE ${store.baseUrl}/store/orders/`),
    'Authorization: Bearer {{STORE_API_KEY}}',
  ]
  expect(requests).toEqual([...request, ...request])
})

it.each([
  [['cancel-shipped-409', '--from', 'reports'], 'The run in reports sent no request for cancel-shipped-409'],
  [['cancel-twice-refuse', '--from', 'reports'], 'Did you mean cancel-twice-refused?'],
  [['cancel-twice-refused', '--from', 'none'], 'cannot be read (ENOENT)'],
  [['cancel-twice-refused', '--http'], 'add --from reports'],
])('%j: exit 2', async (args, message) => {
  const { explain } = await broken()
  const ended = await explain(...args)
  expect([ended.code, ended.stdout]).toEqual([2, ''])
  expect(ended.stderr).toContain(message)
})
