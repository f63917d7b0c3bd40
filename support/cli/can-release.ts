import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Command } from 'commander'
import { readCertificate } from '../certificate/archive.ts'
import { verifyCertificate } from '../certificate/verify.ts'
import { Misconfigured } from '../judge/outcome.ts'
import { printable } from '../report/printable.ts'
import { readReport } from '../report/read.ts'
import type { ReportFile } from '../report/report.ts'
import { storeText, verdictSentence } from '../report/words.ts'
import { several } from './flags.ts'
import { readKeys } from './keys.ts'

interface Options {
  readonly store: string
  readonly version: string
  readonly key: readonly string[]
}

/** A report, or a certificate that was judged again. */
interface Result extends ReportFile {
  readonly path: string
  /** The title of the certificate. */
  readonly certified?: string
}

export function addCanRelease(command: Command): void {
  command
    .argument(
      '<paths...>',
      'reports and certificates, or folders that are searched for conformance.json and certificate.zip',
    )
    .requiredOption('--store <name>', 'name of the store, as --store-name of the run')
    .requiredOption('--version <version>', 'version of the store, as --store-version of the run')
    .option(
      '--key <file>',
      'public key that must have signed each certificate (PEM); may be given several times',
      several,
      [],
    )
    .addHelpText(
      'after',
      `
The latest run of this version decides: it must be conformant. Whoever can write the files can change a report; a
certificate with --key cannot be changed.

Example:
  npx store-conformance can-release --store "Acme Store" --version 3.2 reports

Exit: 0 yes · 1 no, with the reason · 2 wrong usage, or a file cannot be read`,
    )
    .action(async (paths: readonly string[], options: Options) => {
      const results = await Promise.all(paths.flatMap(resultFiles).map(path => readResult(path, options.key)))
      const { may, reason } = answer(results, options)
      process.stdout.write(`${may ? 'Yes' : 'No'}: ${printable(reason)}\n`)
      process.exitCode = may ? 0 : 1
    })
}

const isResult = (name: string): boolean => name === 'conformance.json' || name === 'certificate.zip'

/** @throws {Misconfigured} if there is no such file or folder */
function resultFiles(path: string): string[] {
  const about = statSync(path, { throwIfNoEntry: false })
  if (!about) throw new Misconfigured(`There is no file or folder ${path}.`)
  if (!about.isDirectory()) return [path]
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' })
  return files.filter(name => isResult(basename(name))).map(name => join(path, name))
}

/** @throws {Misconfigured} if the file is neither, or is not what it says */
async function readResult(path: string, keys: readonly string[]): Promise<Result> {
  if (!path.endsWith('.zip')) return { ...readReport(path), path }
  try {
    const { report, statement } = await verifyCertificate(readCertificate(path), {
      keys: readKeys('public', keys),
      now: Date.now(),
    })
    return { ...report, path, certified: statement.predicate.title }
  } catch (error) {
    if (error instanceof Misconfigured) throw error
    throw new Misconfigured(`${path} is not accepted: ${printable((error as Error).message)}`)
  }
}

function answer(results: readonly Result[], { store, version }: Options): { may: boolean; reason: string } {
  const wanted = `${store} ${version}`
  const own = results.filter(each => each.store?.name === store && !each.target.reference)
  const latest = own
    .filter(each => each.store?.version === version)
    .sort((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt))[0]
  if (!latest) {
    const others = own.length > 0 ? own : results
    const names = [...new Set(others.map(each => storeText(each.store) || 'a store without a name'))]
    const known = names.length === 0 ? 'There are no reports.' : `There are reports of ${names.join(', ')}.`
    return { may: false, reason: `no run of ${wanted} was found. ${known}` }
  }
  const { path, certified, verdict, profile, gate, startedAt } = latest
  const what = certified === undefined ? 'run' : 'certificate'
  const where = `${path}: ${what} of ${startedAt}, profile ${profile}, gate ${gate}`
  if (verdict === 'conformant')
    return { may: true, reason: `${wanted} is ${certified ?? verdict} (${where}).` }
  return {
    may: false,
    reason: `the latest ${what} of ${wanted} has the verdict ${verdict} (${where}). ${verdictSentence(latest)}`,
  }
}
