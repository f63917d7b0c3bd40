import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { packageRoot } from '../report/package-root.ts'
import type { ReportedRule } from '../report/report.ts'

export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

/** The code that runs: `dist/` in the package, the sources in a checkout. */
const codeRoot = fileURLToPath(new URL('../../', import.meta.url))

const isCode = (path: string): boolean =>
  /\.[jt]s$/.test(path) &&
  !/\.d\.ts$|\.test\.ts$|\/testing\/|^support\/(package\/|selfcheck\/mutants)/.test(path)

const isProfile = (path: string): boolean => path.endsWith('.json')

let known: string | undefined

/**
 * Digest of everything that decides what a run sends and how it is judged: the code of the package, the profiles, and the generator of
 * values. It is the SHA-256 of lines as `sha256sum` prints them, in the order of the paths.
 */
export function suiteDigest(): string {
  known ??= sha256(
    [
      ...digestsBelow(codeRoot, 'suites', isCode),
      ...digestsBelow(codeRoot, 'support', isCode),
      ...digestsBelow(fileURLToPath(packageRoot), 'support/interface/profiles', isProfile),
    ]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([path, digest]) => `${digest}  ${path}\n`)
      .concat(`fast-check ${fc.__version}\n`)
      .join(''),
  )
  return known
}

/** The digests of these files below a folder of the root, by their paths from the root. */
const digestsBelow = (root: string, folder: string, isWanted: (path: string) => boolean) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map(name => join(folder, name).split(sep).join('/'))
    .filter(isWanted)
    .map((path): [path: string, digest: string] => [path, sha256(readFileSync(join(root, path)))])

/** Digest of the rules that the profile has, as the report shows them: SHA-256 of a line `id level` for each, sorted. */
export const profileDigest = (rules: readonly Pick<ReportedRule, 'id' | 'level' | 'newSince'>[]): string =>
  sha256(
    rules
      .flatMap(({ id, level, newSince }) => (newSince === undefined ? [`${id} ${level}\n`] : []))
      .sort()
      .join(''),
  )
