import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Command } from 'commander'
import { expect, it } from 'vitest'
import { commands } from '../cli/program.ts'
import { bench, project } from '../cli/testing/bench.ts'
import { whyImpliedGates } from '../report/words.ts'
import { keyPair } from '../wire/testing/certificate.ts'
import { blocksOf, type CodeBlock, docs, install, textOf } from './testing/blocks.ts'

const { plain, reference, run } = bench()
const place = install()

const README = '../../README.md'
const pages = [README, ...docs]
const all = pages.flatMap(blocksOf)
const shell = all.filter(({ language }) => language === 'sh')
const nameOf = ({ doc, line }: CodeBlock) => `${doc.replace('../../', '')}:${line}`

/** A test below runs this one, and compares its output. */
const SAMPLE = 'store-conformance run --target reference --seed 42\n'
const tried = shell.filter(({ run, text }) => run && text !== SAMPLE)

it.each(tried.map(block => [nameOf(block), block] as const))('%s', async (_where, { text, exit }) => {
  const store = await plain()
  const stock = new Map(store.stock)
  const command = text
    .replaceAll('https://staging.store.example/v1', '"$STORE_BASE_URL"')
    .replace('1001,1002,1003', '101,102,103')
    .replace('2001', '201')
    .replace('…', store.key)
    .replaceAll('npx --no-install ', '')
  const env = {
    // The profile has fewer rules to judge.
    ...(text.includes('--only') ? {} : { STORE_PROFILE: '1.0.0-stable' }),
    ...(command.includes('STORE_BASE_URL') ? store.env : {}),
  }
  const { code, stdout, stderr } = await (await place).run('bash', ['--norc', '-ec', command], env)
  expect(code, stdout + stderr).toBe(exit)
  expect(store.stock).toEqual(stock)
})

it('every page names only commands and flags that exist', async () => {
  const flags = new Map<string, readonly string[]>()
  for (const [name, [, load]] of Object.entries(commands)) {
    const command = new Command(name)
    ;(await load()).add(command)
    flags.set(name, ['--help', ...command.options.map(({ long }) => long ?? '')])
  }
  const any = new Set([...flags.values()].flat())
  for (const page of pages) {
    const inline = [...textOf(page).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
    const lines = blocksOf(page).flatMap(({ language, text }) => (language === 'sh' ? text.split('\n') : []))
    for (const code of [...inline, ...lines]) {
      const [, named, word = '', rest = ''] = /^(.*\bstore-conformance )?([a-z-]+)(.*)$/.exec(code) ?? []
      if (named !== undefined) expect([...flags.keys()], `${page}: ${code}`).toContain(word)
      for (const [flag] of rest.matchAll(/(?<= )--[a-z-]+/g))
        if (flags.has(word)) expect(flags.get(word), `${page}: ${code}`).toContain(flag)
      if (page === README && /^--[a-z]/.test(code)) expect([...any]).toContain(code.split(/[ =]/)[0])
    }
  }
})

const read = (path: string) => readFileSync(join(project, path), 'utf8')

/** The anchors that GitHub gives to headings. */
const headingsIn = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  )

it('every page links only to files and headings that the package contains', () => {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: project,
    encoding: 'utf8',
  })
  const packed: string[] = JSON.parse(stdout)[0].files.map(({ path }: { path: string }) => path)
  const packedPages = packed.filter(path => path.endsWith('.md'))
  expect(packedPages).toEqual(
    expect.arrayContaining(['README.md', ...docs.map(doc => `support/docs/${doc}`)]),
  )
  for (const page of packedPages) {
    for (const [, target = ''] of read(page).matchAll(/\]\((?!https?:)([^)]+)\)/g)) {
      const [file = '', anchor] = target.split('#')
      const path = file === '' ? page : join(dirname(page), file)
      expect(packed, `${page} links to ${target}`).toContain(path)
      if (anchor !== undefined) expect(headingsIn(read(path)), `${page} links to ${target}`).toContain(anchor)
    }
  }
})

const samplesOf = (doc: string) =>
  blocksOf(doc).filter(({ language, text }) => language === 'text' && !text.startsWith('suites/'))
const [readme, outcomes] = [samplesOf(README), samplesOf('outcomes.md')]

/** Ports, ids and lengths differ from run to run, and numbers of rules from version to version. */
const linesOf = (text = 'no sample output') => text.replaceAll(/[0-9a-f]{64}|[0-9]+/g, '0').split('\n')

/** A run on the reference store, with a certificate. */
const signing = (async () => {
  const { privateKey, publicKey } = keyPair()
  const files = { 'key.pem': privateKey, 'pub.pem': publicKey }
  return run(['run', '--target', 'reference', '--seed', '42', '--sign', 'key.pem'], { files })
})()
const verified = async () => {
  const given = { folder: (await signing).folder, env: { COLUMNS: '80' } }
  return run(['verify', 'reports/certificate.zip', '--key', 'pub.pem'], given)
}
/** A run on the reference store with this fault. */
const judged = async (fault: string) => {
  const { env } = await reference({ faults: [fault] })
  return run(['run', '--seed', '42'], { env })
}

it.each([
  ['a run', 0, () => signing, [readme[0], outcomes[0]]],
  ['a certificate', 0, verified, samplesOf('certificates.md')],
  ['a run on a broken store', 1, () => judged('update-adds'), [readme[1]]],
  ['a failure', 1, () => judged('quantity-wraps-at-32-bits'), [outcomes[1]]],
])('the pages show what is printed: %s', async (_what, exit, printed, samples) => {
  const { code, stdout } = await printed()
  expect(code, stdout).toBe(exit)
  // The run may print further lines, for example about rules that are newer than the profile.
  for (const sample of samples) expect(linesOf(stdout)).toEqual(expect.arrayContaining(linesOf(sample?.text)))
})

it('outcomes.md says why implied rules gate, as the report and list do', () => {
  expect(textOf('outcomes.md').replaceAll('`', '').replaceAll('\n', ' ')).toContain(whyImpliedGates)
})
