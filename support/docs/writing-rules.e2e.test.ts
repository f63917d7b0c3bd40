import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { project, spawned } from '../cli/testing/bench.ts'
import { newFolder } from '../wire/testing/folder.ts'
import { blocksOf } from './testing/blocks.ts'

const blocks = blocksOf('writing-rules.md')

/** A copy of the project in a temporary folder, with the examples of the page pasted. */
const folder = newFolder()
beforeAll(async () => {
  const config = ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'vitest.config.ts']
  for (const name of ['suites', 'support', '.env.example', ...config])
    cpSync(join(project, name), join(folder, name), { recursive: true })
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'))
  for (const { into, text } of blocks)
    if (into) writeFileSync(join(folder, into), pasted(readFileSync(join(folder, into), 'utf8'), text))
  for (const [file, before, text] of FURTHER)
    writeFileSync(
      join(folder, file),
      readFileSync(join(folder, file), 'utf8').replace(before, start => `${start}${text}`),
    )
  await printed('npm run build')
})

/** A setting and a report, as CONTRIBUTING.md describes them. */
const FURTHER = [
  [
    'support/settings/settings.ts',
    'export const settings = {\n',
    "  contact: row(value.text.optional(), 'STORE_CONTACT', '--contact <name>', 'any', 'judge', 'who to ask'),\n",
  ],
  ['.env.example', '', '\n# who to ask (--contact)\n#STORE_CONTACT=Ada\n'],
  [
    'support/report/write.ts',
    "  'conformance.json': reportJson,\n",
    "  'verdict.txt': ({ verdict }) => verdict,\n",
  ],
] as const

/** At the start of the exported list or table, or at the end of the function that compares. */
function pasted(source: string, text: string): string {
  const found = /^export const (?:rules|faults|freedoms)\b.*[[{]\n/m
  const end = '  return checks\n'
  return found.test(source)
    ? source.replace(found, start => `${start}${text}`)
    : source.replace(end, () => `${text}${end}`)
}

/** Expects the command to succeed. @returns what it printed */
async function printed(command: string): Promise<string> {
  const PATH = `${join(folder, 'node_modules/.bin')}:${process.env['PATH']}`
  const { code, stdout, stderr } = await spawned('bash', ['--norc', '-c', command], {
    folder,
    env: { PATH, NO_COLOR: '1', CI: '1' },
  })
  expect(code, stdout + stderr).toBe(0)
  return stdout + stderr
}
const command = 'node dist/support/cli/main.js'

it('the fault turns exactly the new rule red', async () => {
  const [sample] = blocks.filter(({ language }) => language === 'text')
  expect(await printed(`${command} selfcheck --fault cancel-204-with-content-type`)).toContain(sample?.text)
})

it('no gating rule fails with the freedom', async () => {
  expect(await printed(`${command} selfcheck --freedom 409-json-string`)).toContain('accepted')
})

it('the rule is shown, and does not gate in an older profile', async () => {
  await printed(`${command} run --target reference --only "cancel-2*,cancel-pending-204" --out new`)
  expect(await printed('cat new/conformance.json')).toContain('"newSince": "1.0.0"')
})

it('no other file has to change, nor for a setting or a report: the tests of what is listed pass', async () => {
  const paths = 'support/interface support/settings support/cli/usage support/report support/selfcheck'
  // Without those that judge stores.
  await printed(`vitest run --project unit ${paths} -t '^(?!faults are|the failure of)'`)
})
