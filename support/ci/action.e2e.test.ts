import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { settings } from '../settings/settings.ts'

const project = fileURLToPath(new URL('../../', import.meta.url))
const { inputs, runs } = parse(readFileSync(join(project, 'action.yml'), 'utf8'))
interface Step {
  readonly env?: Readonly<Record<string, string>>
  readonly run?: string
  readonly uses?: string
  readonly 'working-directory'?: string
}
const steps: readonly Step[] = runs.steps
const judging = steps.at(-1)?.env ?? {}
const expression = (name: string) => `\${{ inputs.${name} }}`

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/**
 * Runs the scripts of the action as the runner of GitHub does, in a stand-in for this project.
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
    'bin/npm': `#!/bin/bash
printf '%s\\n' "$*" >> "$FOLDER/npm-calls"
pwd >> "$FOLDER/npm-folder"
env >> "$FOLDER/npm-env"
${given['npm'] ?? 'true'}
`,
    // Types are stripped by Node 22.18 and later. The stand-in has none, so that every Node can run it.
    'bin/node': `#!/bin/bash
case "$*" in *features.typescript*) exit ${given['node'] ?? 0};; esac
exec '${process.execPath}' "$@"
`,
    'action/package.json': '{}',
    'action/package-lock.json': '{}',
    'action/support/cli/main.ts': `const fs = require('node:fs')
fs.writeFileSync(process.env.FOLDER + '/arguments', JSON.stringify(process.argv.slice(2)))
fs.writeFileSync(process.env.FOLDER + '/headers', process.env.STORE_HEADERS)
${program}`,
    ...files,
  }
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text, { mode: 0o755 })
  }
  const filled = (text: string) =>
    text.replace(/\$\{\{ (\S+) \}\}/g, (_, name: string) => {
      const input = name.replace('inputs.', '')
      if (name === 'github.action_path') return join(folder, 'action')
      return given[input] ?? inputs[input].default ?? ''
    })
  const ended = { status: 0 as number | null, stdout: '', stderr: '' }
  for (const { run, env = {}, 'working-directory': cwd } of steps) {
    if (run === undefined) continue
    writeFileSync(join(folder, 'script.sh'), run)
    const { status, stdout, stderr } = spawnSync(
      'bash',
      ['--noprofile', '--norc', '-e', '-o', 'pipefail', join(folder, 'script.sh')],
      {
        cwd: cwd ? filled(cwd) : folder,
        encoding: 'utf8',
        env: {
          ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)])),
          PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
          RUNNER_TEMP: join(folder, 'temporary'),
          GITHUB_OUTPUT: join(folder, 'output'),
          GITHUB_STEP_SUMMARY: join(folder, 'summary'),
          FOLDER: folder,
        },
      },
    )
    ended.status = status
    ended.stdout += stdout
    ended.stderr += stderr
    if (status !== 0) break
  }
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  return {
    ...ended,
    folder,
    /** Without the lines that stop the runner from executing workflow commands. */
    stderr: ended.stderr.replace(/^::stop-commands::(\S+)\n(.*)::\1::\n$/s, '$2'),
    output: () => read('output').replace(/^lock=[0-9a-f]{64}\n/, ''),
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
  it('passes each input to the last step as a variable, and inserts none into a script', () => {
    for (const { run = '' } of steps) expect(run).not.toContain('${{')
    for (const name of Object.keys(inputs)) expect(Object.values(judging)).toContain(expression(name))
  })

  it('uses variables that the command knows, and describes each input', () => {
    const known = Object.values(settings).flatMap(info => ('variable' in info ? [info.variable] : []))
    const named = Object.keys(judging).filter(name => name.startsWith('STORE_'))
    expect(known).toEqual(expect.arrayContaining(named))
    for (const input of Object.values<{ description: string }>(inputs))
      expect(input.description).toMatch(/\S/)
  })

  it('installs only the production dependencies of its own source, without any secret, and runs it', () => {
    const acted = act(required, reporting('conformant', 0))
    expect(acted.stderr).toBe('')
    expect(acted.status).toBe(0)
    expect(acted.read('npm-calls')).toMatch(/^ci --omit=dev --ignore-scripts /)
    expect(acted.read('npm-folder')).toBe(`${join(acted.folder, 'action')}\n`)
    expect(acted.read('npm-env')).not.toContain(required['api-key'])
    expect(acted.arguments()).toEqual(['run'])
    expect(acted.output()).toBe('verdict=conformant\nexit-code=0\n')
  })

  it('passes each input without a variable as one argument, whatever it contains', () => {
    const nasty = `list-*"; touch pwned; $(touch pwned) \`touch pwned\``
    const headers = `X-Tenant=blue & green\n\nX-Other=${nasty}\n`
    const more = { only: nasty, skip: 'a b', 'expected-failures': 'known failures.yml', headers }
    const acted = act({ ...required, ...more }, reporting('partial', 0))
    const known = ['--expected-failures', 'known failures.yml']
    expect(acted.arguments()).toEqual(['run', '--only', nasty, '--skip', 'a b', ...known])
    expect(acted.read('headers')).toBe(headers)
    expect(() => acted.read('pwned')).toThrow()
  })

  it.each([
    [3, 'incomplete', 'false', 3],
    [3, 'incomplete', 'true', 0],
    [4, 'unreachable', 'true', 4],
  ])('the command exits %i (%s), allow-incomplete is %s: exit %i', (code, verdict, allowed, status) => {
    const acted = act({ ...required, 'allow-incomplete': allowed }, reporting(verdict, code))
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

  it.each([
    [
      'the dependencies cannot be installed',
      { npm: 'echo no such registry >&2; exit 1' },
      1,
      'no such registry',
    ],
    ['Node is too old', { node: '1' }, 2, '::The action needs Node 22.18 or later.'],
  ])('runs nothing if %s, and leaves no earlier report', (_why, how, status, message) => {
    const earlier = { 'reports/conformance.json': '{"verdict":"conformant"}' }
    const acted = act({ ...required, ...how }, reporting('conformant', 0), earlier)
    expect(acted.status).toBe(status)
    expect(acted.stdout + acted.stderr).toContain(message)
    expect(() => acted.arguments()).toThrow()
    expect(() => acted.read('reports/conformance.json')).toThrow()
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
