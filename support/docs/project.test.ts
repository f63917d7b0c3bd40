import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { project } from '../cli/testing/bench.ts'
import { parseExpectedFailures } from '../settings/expected-failures.ts'
import { settings } from '../settings/settings.ts'
import { blockCalled, blocksOf, docs, textOf } from './testing/blocks.ts'

/** The rooms in the direction of the data. A file imports only from its own room and from earlier rooms. */
const ROOMS = [
  'support/interface',
  'support/wire',
  'support/reference',
  'suites',
  'support/settings',
  'support/target',
  'support/report',
  'support/run',
  'support/certificate',
  'support/embed',
  'support/selfcheck',
  'support/cli',
] as const

/** Imports that are forbidden although the order of the rooms allows them. */
// biome-ignore format: a table
const APART: readonly (readonly [why: string, from: RegExp, to: RegExp])[] = [
  ['only the composition root joins the reference store', /^support\/reference\//, /^support\/(settings|target)/],
  ['the oracle knows the interface, and nothing else', /^suites\/oracle\//, /^(?!suites\/oracle|support\/interface)/],
  ['only the composition root passes settings on', /^support\/target\//, /^support\/settings/],
  ['a report needs no store', /^support\/report\//, /^support\/target/],
]

const read = (path: string) => readFileSync(join(project, path), 'utf8')
const files = ['suites', 'support']
  .flatMap(room =>
    readdirSync(join(project, room), { recursive: true, encoding: 'utf8' }).map(file => join(room, file)),
  )
  .filter(file => /\.ts$/.test(file) && !/\.test\.ts$|\/testing\/|^support\/docs\//.test(file))

/** Every relative import: the importing and the imported file, as paths from the root. Imports of types count. */
const imports = files.flatMap(file => {
  return [...read(file).matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(
    ([, specifier = '']) => [file, join(dirname(file), specifier)] as const,
  )
})
const roomOf = (file: string): number => ROOMS.findIndex(room => file.startsWith(`${room}/`))

it('every file is in a room of the map', () => {
  expect(files.filter(file => roomOf(file) < 0)).toEqual([])
})

it('data goes one way through the rooms', () => {
  expect(imports.filter(([file, target]) => roomOf(target) > roomOf(file))).toEqual([])
})

it.each(APART)('%s', (_why, from, to) => {
  expect(imports.filter(([file, target]) => from.test(file) && to.test(target))).toEqual([])
})

it('the lock file has the integrity of every package, and no address', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { integrity?: string; resolved?: string }>
  }
  const { '': _project, ...installed } = packages
  const without = Object.entries(installed).filter(
    ([, { integrity = '' }]) => !integrity.startsWith('sha512-'),
  )
  // npm never adds a missing integrity: remove package-lock.json and node_modules, and run npm install.
  expect(without.map(([path]) => path)).toEqual([])
  expect(Object.values(installed).filter(({ resolved }) => resolved !== undefined)).toEqual([])
})

it.each(['action.yml', '.github/workflows/release.yml', 'support/docs/ci.md'])(
  '%s names every action by its commit',
  path => {
    const used = [...read(path).matchAll(/\buses: .+/g)]
    expect(used.length).toBeGreaterThan(0)
    for (const [line] of used) expect(line).toMatch(/@([0-9a-f]{40}|COMMIT) # v\d+\.\d+\.\d+$/)
  },
)

it('only the job that publishes may publish, and it executes no dependency', () => {
  const { permissions, jobs } = parse(read('.github/workflows/release.yml'))
  expect(permissions).toEqual({ contents: 'read' })
  expect(jobs.pack).not.toHaveProperty('permissions')
  expect(jobs.publish.permissions).toEqual({ contents: 'write', 'id-token': 'write' })
  const commands = jobs.publish.steps.flatMap(({ run = [] }) => run).join('\n')
  expect(commands).toContain('--ignore-scripts --provenance')
  expect(commands).not.toMatch(/npm (ci|install|run|pack)|npx/)
  expect(JSON.parse(read('package.json')).publishConfig).toEqual({ access: 'public', provenance: true })
})

it('architecture.md describes every room', () => {
  const rooms = [
    'suites/',
    ...readdirSync(join(project, 'support')).map(name => `support/${name}/`),
    'reports/',
  ]
  for (const room of rooms) expect(textOf('architecture.md')).toContain(`**\`${room}\`** `)
})

it('README has at most 6 kB, and the pages together at most 1,000 lines', () => {
  expect(Buffer.byteLength(read('README.md'))).toBeLessThanOrEqual(6_000)
  expect(docs.flatMap(doc => textOf(doc).trimEnd().split('\n')).length).toBeLessThanOrEqual(1_000)
})

it('every block of the pages has a tested language', () => {
  const kinds = ['sh', 'js', 'ts', 'python', 'go', 'java', 'php', 'yaml', 'text']
  expect(kinds).toEqual(expect.arrayContaining(docs.flatMap(blocksOf).map(({ language }) => language)))
})

it('the example of expected failures is valid, and names a rule', () => {
  const text = blockCalled('ci.md', 'expected-failures.yaml')
  const { entries } = parseExpectedFailures(text, 'ci.md', problem => expect.fail(problem))
  expect(entries).toHaveLength(1)
})

it('the workflow uses only existing inputs of the action', () => {
  const { inputs } = parse(read('action.yml'))
  const { steps } = parse(blockCalled('ci.md', '.github/workflows/conformance.yml')).jobs.conformance
  const judge = steps.find(({ uses = '' }) => uses.includes('/store-conformance@'))
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(judge.with)))
  for (const [name, { required }] of Object.entries<{ required?: boolean }>(inputs))
    if (required) expect(judge.with).toHaveProperty(name)
})

it('the job for GitLab uses only existing variables, and keeps the reports of every run', () => {
  const job = parse(blockCalled('ci.md', '.gitlab-ci.yml')).conformance
  const variables = Object.values(settings).map(({ variable }) => variable)
  for (const name of Object.keys(job.variables)) expect(variables).toContain(name)
  expect(job.artifacts).toMatchObject({ when: 'always', paths: ['reports'] })
  expect(JSON.stringify(job)).not.toContain('API_KEY')
})
