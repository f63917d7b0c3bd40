import { countOutcomes } from '../../judge/verdict.ts'
import type { ReportedRule, ReportFile } from '../report.ts'

/** A rule of a saved report. */
export const rule = (
  id: string,
  outcome: ReportedRule['outcome'],
  more: Partial<ReportedRule> = {},
): ReportedRule => ({
  id,
  operation: 'cancelOrder',
  level: 'required',
  clause: '4.2/409',
  title: `Title of ${id}`,
  outcome,
  exchanges: [],
  ...(outcome === 'passed' ? {} : { message: `message of ${id}` }),
  ...more,
})

export const report = (rules: readonly ReportedRule[], more: Partial<ReportFile> = {}): ReportFile => ({
  format: 'store-conformance/1',
  verdict: 'conformant',
  profile: '1.0.0',
  gate: 'implied',
  revision: 1,
  seed: 42,
  suite: { name: 'store-conformance', version: '0.1.0' },
  target: { baseUrl: 'https://store.example/v1' },
  startedAt: '2026-11-21T10:00:00.000Z',
  rules: [...rules],
  durationMs: 812,
  requests: 0,
  counts: countOutcomes(rules),
  advice: countOutcomes([]),
  observations: [],
  serverErrors: [],
  latency: [],
  scenarios: [],
  warnings: [],
  ...more,
})
