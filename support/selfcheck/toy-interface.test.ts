import { expect, it } from 'vitest'
import type { Exchange } from '../http/exchange.ts'
import { redactor } from '../http/redact.ts'
import { expectStatus } from '../judge/expect/exchanges.ts'
import type { InterfaceUnderTest } from '../judge/interface.ts'
import { randomness } from '../judge/randomness.ts'
import type { Rule } from '../judge/rule.ts'
import { isNew } from '../judge/selection.ts'
import { type Access, openSession } from '../judge/session.ts'
import { composeReport } from '../report/compose.ts'
import { reportMarkdown } from '../report/formats.ts'
import type { Report } from '../report/report.ts'
import { findingsOf, isSound, tasksFor } from './findings.ts'
import { selfcheckHtml } from './page.ts'
import type { Proof, ProvingFault } from './proof.ts'
import { perform } from './prove.ts'

/** A toy interface: a light that can be switched on. It has two rules; the second is newer than the only profile. */
interface Light {
  /** Statuses of the responses. */
  readonly switchOn: number
  readonly isOn: number
}
interface LightFault extends ProvingFault {
  readonly light: Partial<Light>
}

const switched = {
  kind: 'scenario' as const,
  title: 'the light, switched on',
  needs: undefined,
  run: async (acts: unknown) => {
    const { send } = acts as { send(step: keyof Light): Exchange }
    return { answer: send('switchOn'), state: send('isOn') }
  },
}
type Seen = Awaited<ReturnType<typeof switched.run>>

const toyRule = (id: string, after: readonly string[], expects: (seen: Seen) => void) =>
  ({
    id,
    level: 'required',
    clause: '1/on',
    operation: 'switchOn',
    title: `${id} holds`,
    given: switched,
    after,
    expect: expects,
  }) as unknown as Rule

const subject: InterfaceUnderTest = {
  name: 'Light Interface',
  version: '7',
  operations: {
    switchOn: {
      id: 'switchOn',
      slug: 'switch-on',
      method: 'POST',
      path: '/on',
      section: '1',
      summary: 'Switch on',
      experimental: false,
    },
  },
  clauses: { '1/on': { says: 'A light that is switched on is on.' } },
  sections: {},
  profiles: {
    '7': {
      name: '7',
      title: 'all',
      interfaceVersion: '7',
      revision: 1,
      without: [],
      rules: { 'on-200': 'required' },
    },
  },
  errata: [],
  suites: [
    {
      name: 'light',
      rules: [
        toyRule('on-200', [], ({ answer }) => expectStatus(answer, 200)),
        toyRule('on-stays', ['on-200'], ({ state }) => expectStatus(state, 200)),
      ],
      observations: [],
    },
  ],
}
const [profile] = Object.values(subject.profiles) as [InterfaceUnderTest['profiles'][string]]

/** Access that records the calls of a light in this process as exchanges. */
function accessTo(light: Light): Access {
  const exchanges: Exchange[] = []
  const send = (scenario: string) => (step: keyof Light) => {
    const request = { method: 'POST', url: 'http://light.test/on', headers: [], curl: 'curl …' }
    const response = { status: light[step], headers: [], body: '' }
    const at = { index: exchanges.length, scenario, step, operation: 'switchOn', startedAt: 0 }
    const exchange: Exchange = { ...at, request, response, connection: 'pool', durationMs: 1, waitedMs: 1 }
    exchanges.push(exchange)
    return exchange
  }
  return { exchanges, enter: async ({ title }, perform) => perform({ send: send(title) }) }
}

async function judged(faults: readonly LightFault[]): Promise<Report> {
  const light = Object.assign({ switchOn: 200, isOn: 200 }, ...faults.map(fault => fault.light))
  const { rules } = subject.suites[0] as InterfaceUnderTest['suites'][number]
  const access = accessTo(light)
  const { judge } = openSession(access, { rules, randomness: randomness(1), runs: 1 })
  const judgements = await Promise.all(
    rules.map(async rule => ({
      ...(await judge(rule)),
      ...(isNew(rule, profile) ? { newSince: profile.name } : {}),
    })),
  )
  return composeReport(
    {
      description: subject,
      judgements,
      observations: [],
      exchanges: access.exchanges,
      warnings: [],
      profile,
      partial: false,
      baseUrl: 'http://light.test',
      gate: 'implied',
      seed: 1,
      startedAt: 0,
      durationMs: 2,
    },
    redactor([]),
  )
}

const proof: Proof<LightFault> = {
  subject,
  faults: [
    { id: 'refuses', title: 'It answers 500', breaks: ['on-200'], light: { switchOn: 500 } },
    { id: 'stays-dark', title: 'It stays off', breaks: ['on-stays'], light: { isOn: 409 } },
  ],
  freedoms: [],
  judge: judged,
}

it('the engine judges and reports another interface', async () => {
  expect(await judged([])).toMatchObject({
    verdict: 'conformant',
    counts: { passed: 1 },
    advice: { passed: 1 },
    profile: '7',
  })
  const broken = await judged(proof.faults.slice(0, 1))
  expect(broken).toMatchObject({ verdict: 'nonconformant', counts: { failed: 1 } })
  expect(broken.rules.find(({ id }) => id === 'on-stays')).toMatchObject({ behind: 'on-200', newSince: '7' })
  expect(reportMarkdown(broken)).toContain('switchOn')
})

it('a rule that is newer than the profile is judged but does not gate', async () => {
  const dark = await judged(proof.faults.slice(1))
  expect(dark).toMatchObject({ verdict: 'conformant', advice: { failed: 1 } })
})

it('the self-check proves every rule, whatever the profile', async () => {
  const wanted = { seed: 1, modes: ['states'] as const }
  const results = []
  for (const task of tasksFor(proof, wanted)) results.push(await perform(proof, task))
  const findings = findingsOf(proof, results, wanted)
  expect(findings).toMatchObject({ rules: 2, faults: 2, killed: 2, collateral: 0, gaps: [] })
  expect(isSound(findings)).toBe(true)
  expect(selfcheckHtml(findings, subject)).toContain('stays-dark')
  const unproven = findingsOf({ ...proof, faults: proof.faults.slice(0, 1) }, results, wanted)
  expect(unproven.gaps).toEqual(['no fault turns on-stays red'])
})
