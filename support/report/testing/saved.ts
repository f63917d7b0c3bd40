import type { SavedReport, SavedRule } from '../read.ts'

/** A rule of a saved report. */
export const rule = (
  id: string,
  outcome: SavedRule['outcome'],
  more: Partial<SavedRule> = {},
): SavedRule => ({
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

export const report = (rules: readonly SavedRule[], more: Partial<SavedReport> = {}): SavedReport => ({
  format: 'store-conformance/1',
  verdict: 'conformant',
  profile: '1.0.0',
  gate: 'implied',
  suite: { version: '0.1.0' },
  target: { baseUrl: 'https://store.example/v1' },
  startedAt: '2026-11-21T10:00:00.000Z',
  rules: [...rules],
  serverErrors: [],
  observations: [],
  ...more,
})
