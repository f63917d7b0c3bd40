import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { settings } from '../settings/settings.ts'

const project = fileURLToPath(new URL('../../', import.meta.url))
const { inputs, outputs, runs } = parse(readFileSync(join(project, 'action.yml'), 'utf8'))
const [step] = runs.steps as [{ env: Record<string, string>; run: string; shell: string }]
const expression = (name: string) => `\${{ inputs.${name} }}`

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/**
 * Runs the script of the action as the runner of GitHub does, in a stand-in for this project.
 * @param program JavaScript of the command in the stand-in
 */
function act(
  given: Readonly<Record<string, string>>,
  program: string,
  files: Readonly<Record<string, string>> = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'store conformance action '))
  folders.push(folder)
  const all = {
    'bin/npm': '#!/bin/bash\nprintf \'%s\\n\' "$*" >> "$FOLDER/npm-calls"\neval "$NPM"\n',
    'action/package.json': '{ "type": "module" }',
    'action/dist/support/cli/main.js': `import * as fs from 'node:fs'
fs.writeFileSync(process.env.FOLDER + '/arguments', JSON.stringify(process.argv.slice(2)))
${program}`,
    ...files,
    'script.sh': step.run,
  }
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  chmodSync(join(folder, 'bin/npm'), 0o755)
  const env = Object.fromEntries(
    Object.entries(step.env).map(([name, value]) => {
      const input = /^\$\{\{ inputs\.([a-z-]+) \}\}$/.exec(value)?.[1]
      if (value === '${{ github.action_path }}') return [name, join(folder, 'action')]
      return [name, input === undefined ? value : (given[input] ?? inputs[input].default ?? '')]
    }),
  )
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['--noprofile', '--norc', '-e', '-o', 'pipefail', join(folder, 'script.sh')],
    {
      cwd: folder,
      encoding: 'utf8',
      env: {
        ...env,
        PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
        GITHUB_OUTPUT: join(folder, 'output'),
        GITHUB_STEP_SUMMARY: join(folder, 'summary'),
        FOLDER: folder,
        NPM: given['npm'] ?? 'true',
      },
    },
  )
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  return {
    status,
    stdout,
    /** Without the lines that stop the runner from executing workflow commands. */
    stderr: stderr.replace(/^::stop-commands::(\S+)\n(.*)::\1::\n$/s, '$2'),
    output: () => read('output'),
    summary: () => read('summary'),
    arguments: (): string[] => JSON.parse(read('arguments')),
    read,
  }
}

const required = { 'base-url': 'http://127.0.0.1:8080/v1', 'api-key': 'a-key' }
const reporting = (verdict: string, code: number) =>
  `fs.mkdirSync(process.env.STORE_REPORTS_DIR, { recursive: true })
fs.writeFileSync(process.env.STORE_REPORTS_DIR + '/conformance.json', '{"verdict":"${verdict}"}')
process.exit(${code})`
const ending = (code: number, message: string) =>
  `process.stderr.write(${JSON.stringify(message)}); process.exit(${code})`

describe('the action', () => {
  it('passes each input as a variable, and inserts none into the script', () => {
    for (const { run } of runs.steps) expect(run).not.toContain('${{')
    const passed = Object.values(step.env)
    for (const name of Object.keys(inputs)) expect(passed).toContain(expression(name))
  })

  it('uses variables that the command knows, and describes each input', () => {
    const known = Object.values(settings).flatMap(info => ('variable' in info ? [info.variable] : []))
    const named = Object.keys(step.env).filter(name => name.startsWith('STORE_'))
    expect(known).toEqual(expect.arrayContaining(named))
    for (const input of Object.values<{ description: string }>(inputs))
      expect(input.description).toMatch(/\S/)
  })

  it('installs and builds the source at its own path, and runs it', () => {
    const acted = act(required, reporting('conformant', 0))
    expect(acted.stderr).toBe('')
    expect(acted.status).toBe(0)
    expect(acted.read('npm-calls')).toBe('ci --ignore-scripts --no-audit --no-fund\nrun --silent build\n')
    expect(acted.arguments()).toEqual(['run'])
    expect(acted.output()).toBe('verdict=conformant\nexit-code=0\n')
  })

  it('installs no dependencies if they are installed', () => {
    const acted = act(required, reporting('conformant', 0), { 'action/node_modules/x': '' })
    expect(acted.read('npm-calls')).toBe('run --silent build\n')
  })

  it('passes each input without a variable as one argument, whatever it contains', () => {
    const nasty = `list-*"; touch pwned; $(touch pwned) \`touch pwned\``
    const acted = act(
      {
        ...required,
        only: nasty,
        skip: 'a b',
        'expected-failures': 'known failures.yml',
        headers: `X-Tenant=blue & green\n\nX-Other=${nasty}\n`,
      },
      reporting('partial', 0),
    )
    expect(acted.arguments()).toEqual([
      'run',
      '--only',
      nasty,
      '--skip',
      'a b',
      '--expected-failures',
      'known failures.yml',
      '--header',
      'X-Tenant=blue & green',
      '--header',
      `X-Other=${nasty}`,
    ])
    expect(() => acted.read('pwned')).toThrow()
  })

  it.each([
    ['nonconformant', 1],
    ['incomplete', 3],
    ['unreachable', 4],
  ])('fails with the exit code of the command: %s, %i', (verdict, code) => {
    const acted = act(required, reporting(verdict, code))
    expect(acted.status).toBe(code)
    expect(acted.output()).toBe(`verdict=${verdict}\nexit-code=${code}\n`)
  })

  it.each([
    [3, 'incomplete', 0],
    [1, 'nonconformant', 1],
    [4, 'unreachable', 4],
  ])('accepts exit code 3, and no other, with allow-incomplete: %i', (code, verdict, status) => {
    const acted = act({ ...required, 'allow-incomplete': 'true' }, reporting(verdict, code))
    expect(acted.status).toBe(status)
    expect(acted.output()).toBe(`verdict=${verdict}\nexit-code=${code}\n`)
  })

  it('shows a wrong configuration in an annotation and in the summary, and removes earlier reports', () => {
    const message =
      'One setting is wrong; nothing was sent.\n  STORE_SEED: "100%" is not a number\n::warning::x\n'
    const earlier = ['conformance.json', 'junit.xml', 'conformance.html', 'allure-results/1-result.json']
    const acted = act({ ...required, reports: 'of all' }, ending(2, message), {
      ...Object.fromEntries(earlier.map(name => [`of all/${name}`, '{"verdict":"conformant"}'])),
      'of all/undo.json': 'to be kept',
    })
    expect(acted.status).toBe(2)
    expect(acted.output()).toBe('verdict=\nexit-code=2\n')
    expect(acted.stderr).toBe(message)
    expect(acted.stdout).toBe(
      '::error title=Wrong configuration, nothing was judged::One setting is wrong; nothing was sent.%0A  STORE_SEED: "100%25" is not a number%0A::warning::x\n',
    )
    expect(acted.summary()).toContain('    One setting is wrong; nothing was sent.\n')
    for (const name of earlier) expect(() => acted.read(`of all/${name}`)).toThrow()
    expect(acted.read('of all/undo.json')).toBe('to be kept')
  })

  it('has no verdict if the suite cannot be built', () => {
    const acted = act({ ...required, npm: 'echo no such registry >&2; exit 1' }, reporting('conformant', 0))
    expect(acted.status).toBe(2)
    expect(acted.summary()).toContain('    no such registry\n')
    expect(() => acted.arguments()).toThrow()
  })

  it('declares its outputs', () => {
    for (const [name, { value }] of Object.entries<{ value: string }>(outputs))
      expect(value).toBe(`\${{ steps.run.outputs.${name} }}`)
  })
})

it('the template for GitLab runs this version, keeps the reports of every run, and removes earlier ones', () => {
  const template = parse(readFileSync(new URL('gitlab.yml', import.meta.url), 'utf8'))['.store-conformance']
  const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
  expect(template.variables.STORE_CONFORMANCE_VERSION).toBe(version)
  expect(template.artifacts.when).toBe('always')
  expect(template.before_script.join('\n')).toContain('rm -rf')
  expect(JSON.stringify(template)).not.toContain('API_KEY')
})
