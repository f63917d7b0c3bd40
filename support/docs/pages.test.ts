import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { project } from '../cli/testing/bench.ts'
import { parseExpectedFailures } from '../settings/expected-failures.ts'
import { settings } from '../settings/settings.ts'
import { blockCalled, blocksOf, docs, textOf } from './testing/blocks.ts'

const read = (path: string) => readFileSync(join(project, path), 'utf8')

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
