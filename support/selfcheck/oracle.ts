import { randomness } from '../judge/randomness.ts'
import * as reference from '../reference/index.ts'
import { judgeByLog } from '../run/judge-by-log.ts'
import { namedIn, withStore } from './judged-store.ts'

const CONCURRENCY = 8

type Change = reference.Fault | reference.Freedom

/** Judges a store with faults or freedoms by the log of a run. */
export const judgedStore = (
  changes: readonly Change[],
  { mode, seed }: { readonly mode: string; readonly seed: number },
  judge: typeof judgeByLog = judgeByLog,
): ReturnType<typeof judgeByLog> =>
  withStore(
    reference,
    {
      overrides: changes.map(({ override }) => override),
      isServed: changes.some(({ needsSocket }) => needsSocket),
    },
    async ({ baseUrl = '', apiKey = '', timeoutMs = 0, ...options }, store) =>
      judge({
        ...options,
        ...(mode === 'states' ? { states: store.states } : namedIn(store)),
        baseUrl,
        apiKey,
        timeoutMs,
        readOnly: false,
        concurrency: CONCURRENCY,
        integers: randomness(seed).integers,
      } as Parameters<typeof judgeByLog>[0]),
  )

/** The rules that fail if the log of a run is judged. Of a freedom, only those that gate. */
export async function failuresInLog(
  changes: readonly Change[],
  how: { readonly mode: string; readonly seed: number; readonly kind: string },
): Promise<readonly string[]> {
  const judged = await judgedStore(changes, how)
  if (!('judgements' in judged)) return [judged.cause]
  return judged.judgements
    .filter(
      ({ outcome, cell }) => outcome === 'failed' && (how.kind === 'fault' || cell.rule.level !== 'advisory'),
    )
    .map(({ cell }) => `${cell.rule.id} ${cell.operation}`)
}
