import { resolve } from 'node:path'
import { type Confirmation, confirmCertificate, confirmedText } from '../certificate/confirm.ts'
import { assuranceText } from '../certificate/text.ts'
import type { Verified } from '../certificate/verify.ts'
import { removeReports, writeReports } from '../report/write.ts'
import { strayErrorText, untilInterrupted } from '../run/process/interrupt.ts'
import { enterFolder } from '../run/reported-run.ts'
import type { Configuration } from '../settings/configuration.ts'
import { readConfiguration } from '../settings/environment.ts'
import { mistakesText } from '../settings/mistake.ts'
import { nameOf, type RawSettings, type SettingName, settingNames, settingsOf } from '../settings/settings.ts'
import { progress } from './progress.ts'
import { UsageError } from './usage.ts'

/**
 * The environment and `.env` may be about another store, such as staging. What says which store is judged, what may be changed
 * there, and by which rules, therefore comes from flags and from the certificate alone.
 */
const flagsOnly = (): SettingName[] => {
  const taken = settingsOf('verify')
  return settingNames().filter(
    name => !taken.includes(name) || ['pendingOrders', 'shippedOrders', 'pets'].includes(name),
  )
}

/** @throws {UsageError} with every mistake */
export function readConfirmation(address: string, given: RawSettings): Configuration {
  const flags = { ...given, target: 'base', baseUrl: address }
  const configured = readConfiguration(flags, process.env, process.cwd(), flagsOnly())
  if ('mistakes' in configured)
    throw new UsageError(mistakesText(configured.mistakes).replaceAll(nameOf('baseUrl'), '--confirm'))
  return configured.configuration
}

const exitCodes: Readonly<Record<Confirmation['outcome'], number>> = {
  confirmed: 0,
  drift: 1,
  incomplete: 3,
  unreachable: 4,
}

/** Judges the store that the customer uses, and prints how it compares with the certificate. @returns the exit code */
export async function confirm(
  verified: Verified,
  configuration: Configuration,
  isWritten: boolean,
): Promise<number> {
  const { reportsDir } = configuration
  // The folder keeps the old stock of named pets while that is changed.
  const isUsed = isWritten || configuration.pets !== undefined
  if (isUsed) await enterFolder(configuration)
  if (isWritten) removeReports(reportsDir)
  for (const note of configuration.notes) process.stderr.write(`Note: ${note}\n`)
  let bar: ReturnType<typeof progress> | undefined
  const confirmation = await untilInterrupted(
    signal =>
      confirmCertificate(verified, configuration, {
        signal,
        env: process.env,
        undoPath: isUsed ? resolve(reportsDir, 'undo.json') : undefined,
        began: ({ selection }) => {
          bar = progress(selection.rules.length, configuration.gate)
        },
        judged: judgement => bar?.step(judgement),
      }),
    error => strayErrorText(error, configuration),
  )
  bar?.end()
  if (isWritten) writeReports(confirmation.report, reportsDir)
  process.stdout.write(`${confirmedText(confirmation, verified)}${assuranceText(verified, confirmation)}`)
  return exitCodes[confirmation.outcome]
}
