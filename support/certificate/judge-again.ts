import { allRules } from '../judge/interface.ts'
import { type Report, reportJson } from '../report/report.ts'
import { storeServiceUnderTest as subject } from '../run/store-service.ts'
import { type Needs, needsOf, turnOf } from '../store/needs.ts'
import type { Recording } from './recording.ts'
import { brief, fileCalled, Refused } from './refused.ts'
import { replayRun } from './replay.ts'
import { type CertificateFiles, RECORDING, REPORT } from './statement.ts'

/**
 * Replays the recording, and judges every rule. The report has to be the recomputed one, to the last byte.
 * @throws {Refused} with the first place at which the recording is not that of a run
 */
export async function judgeAgain(files: CertificateFiles, recording: Recording): Promise<Report> {
  const report = await replayRun(recording).catch(error => {
    if (error instanceof Refused) throw error
    throw new Refused(RECORDING, `cannot be replayed: ${error instanceof Error ? error.message : error}`)
  })
  const given = Buffer.from(fileCalled(files, REPORT)).toString('utf8').split('\n')
  const lines = reportJson(report).split('\n')
  const at = Array.from({ length: Math.max(given.length, lines.length) }).findIndex(
    (_each, nth) => given[nth] !== lines[nth],
  )
  if (at < 0) return report
  throw new Refused(
    `${REPORT}: line ${at + 1}`,
    `is ${brief(given[at]?.trim())}, and ${brief(lines[at]?.trim())} when it is recomputed`,
  )
}

/**
 * What the outcome of a rule depends on.
 * - `recomputed`: it follows from the recorded exchanges alone.
 * - `claimed`: it also depends on the states of orders, which no response shows and the vendor claimed (provider states or named ids).
 * - `asserted`: it depends on the API key, which the recording does not have.
 */
export type Basis = 'recomputed' | 'claimed' | 'asserted'

/** Each with the outcome as its subject. */
export const basisMeanings: Readonly<Record<Basis, string>> = {
  recomputed: 'follows from the recorded exchanges',
  claimed: 'also depends on which orders the vendor called pending or shipped',
  asserted: 'depends on the API key, which is not recorded',
}

/**
 * The basis of each rule of the report. It replays the run as if those responses had contained the key that did not, and the reverse.
 * @throws {Refused} if that run sends other requests
 */
export async function basesOf(
  recording: Recording,
  { rules }: Pick<Report, 'rules'>,
): Promise<ReadonlyMap<string, Basis>> {
  // For whether a response contained the key, the customer has only the vendor's word.
  const turned = recording.events.map(event =>
    event.kind === 'exchange'
      ? { ...event, echoesKey: event.echoesKey ? undefined : (true as const) }
      : event,
  )
  const other = await replayRun({ ...recording, events: turned })
  const claimed = new Set(
    allRules(subject).flatMap(({ id, given }) => (isClaimed(needsOf(given)) ? [id] : [])),
  )
  return new Map(
    rules.map(({ id, outcome }, at): [string, Basis] => {
      if (other.rules[at]?.outcome !== outcome) return [id, 'asserted']
      return [id, claimed.has(id) ? 'claimed' : 'recomputed']
    }),
  )
}

/** No field of an order says that it is pending (§3). The stock of a pet is in the inventory. */
const isClaimed = (needs: Needs): boolean =>
  Boolean(needs.extraOrders) || !['stock', 'end', undefined].includes(turnOf(needs))
