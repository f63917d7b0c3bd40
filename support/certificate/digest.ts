import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { packageRoot } from '../report/package-root.ts'
import type { ReportedRule } from '../report/report.ts'

export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

/** The code that runs: `dist/` in the package, the sources in a checkout. */
const codeRoot = fileURLToPath(new URL('../../', import.meta.url))

const isCode = (path: string): boolean =>
  /\.[jt]s$/.test(path) && !/\.d\.ts$|\.test\.ts$|\/testing\/|^support\/(package|workshop)\//.test(path)

let known: string | undefined

/**
 * Digest of everything that decides what a run sends and how it is judged: the code of the package, the profiles, and the generator of
 * values. It is the SHA-256 of lines as `sha256sum` prints them, in the order of the paths.
 */
export function suiteDigest(): string {
  known ??= computed()
  return known
}

function computed(): string {
  const code = ['suites', 'support']
    .flatMap(folder => filesBelow(codeRoot, folder))
    .filter(([path]) => isCode(path))
  const profiles = filesBelow(fileURLToPath(packageRoot), 'support/interface/profiles').filter(([path]) =>
    path.endsWith('.json'),
  )
  return sha256(
    [...code, ...profiles]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([path, digest]) => `${digest()}  ${path}\n`)
      .concat(`fast-check ${fc.__version}\n`)
      .join(''),
  )
}

/** Each file below a folder of the root, by its path from the root. */
function filesBelow(root: string, folder: string): (readonly [path: string, digest: () => string])[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .map(file => [relative(root, file).split(sep).join('/'), () => sha256(readFileSync(file))] as const)
}

/** Digest of the rules that the profile has, as the report shows them: SHA-256 of a line `id level` for each, sorted. */
export const profileDigest = (rules: readonly Pick<ReportedRule, 'id' | 'level' | 'newSince'>[]): string =>
  sha256(
    rules
      .flatMap(({ id, level, newSince }) => (newSince === undefined ? [`${id} ${level}\n`] : []))
      .sort()
      .join(''),
  )
