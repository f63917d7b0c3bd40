import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { settingInfos } from '../settings/settings.ts'

const project = fileURLToPath(new URL('../../', import.meta.url))
const { inputs, outputs, runs } = parse(readFileSync(join(project, 'action.yml'), 'utf8'))
const [step] = runs.steps as [{ env: Record<string, string>; run: string; shell: string }]
const expression = (name: string) => `\${{ inputs.${name} }}`

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** The action's script, as the runner starts it, with a command in npx's place that does what it is told. */
function act(
  given: Readonly<Record<string, string>>,
  npx: string,
  files: Readonly<Record<string, string>> = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'store conformance action '))
  folders.push(folder)
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin/npx'), `#!/bin/bash\nprintf '%s\\n' "$@" > "$FOLDER/arguments"\n${npx}\n`)
  chmodSync(join(folder, 'bin/npx'), 0o755)
  for (const [name, text] of Object.entries({ ...files, 'script.sh': step.run })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const env = Object.fromEntries(
    Object.entries(step.env).map(([name, value]) => {
      const input = /^\$\{\{ inputs\.([a-z-]+) \}\}$/.exec(value)?.[1]
      if (value === '${{ github.action_path }}') return [name, project]
      return [name, input === undefined ? value : (given[input] ?? inputs[input].default ?? '')]
    }),
  )
  const { status, stderr } = spawnSync(
    'bash',
    ['--noprofile', '--norc', '-e', '-o', 'pipefail', join(folder, 'script.sh')],
    {
      cwd: folder,
      encoding: 'utf8',
      env: {
        ...env,
        PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
        GITHUB_OUTPUT: join(folder, 'output'),
        FOLDER: folder,
      },
    },
  )
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  return {
    status,
    stderr,
    output: () => read('output'),
    arguments: () => read('arguments').trimEnd().split('\n'),
    read,
  }
}

const required = { 'base-url': 'http://127.0.0.1:8080/v1', 'api-key': 'a-key' }
const reporting = (verdict: string, code: number) =>
  `mkdir -p "$STORE_REPORTS_DIR"; echo '{"verdict":"${verdict}"}' > "$STORE_REPORTS_DIR/conformance.json"; exit ${code}`

describe('the action', () => {
  it('pastes no input into a script: each is a variable', () => {
    for (const { run } of runs.steps) expect(run).not.toContain('${{')
    const passed = Object.values(step.env)
    for (const name of Object.keys(inputs)) expect(passed).toContain(expression(name))
  })

  it('names variables that the command knows, and texts for inputs that are not given', () => {
    const known = Object.values(settingInfos).flatMap(info => ('variable' in info ? [info.variable] : []))
    const named = Object.keys(step.env).filter(name => name.startsWith('STORE_'))
    expect(known).toEqual(expect.arrayContaining(named))
    for (const input of Object.values<{ description: string }>(inputs))
      expect(input.description).toMatch(/\S/)
  })

  it('runs the version that it is itself', () => {
    const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
    const acted = act(required, reporting('conformant', 0))
    expect(acted.stderr).toBe('')
    expect(acted.status).toBe(0)
    expect(acted.arguments()).toEqual(['--yes', `store-conformance@${version}`, 'run'])
    expect(acted.output()).toBe('verdict=conformant\nexit-code=0\n')
  })

  it('passes on what has no variable, as one word each, whatever is in it', () => {
    const nasty = `list-*"; touch pwned; $(touch pwned) \`touch pwned\``
    const acted = act(
      { ...required, version: '9.9.9', only: nasty, skip: 'a b', 'expected-failures': 'known failures.yml' },
      reporting('partial', 0),
    )
    expect(acted.arguments()).toEqual([
      '--yes',
      'store-conformance@9.9.9',
      'run',
      '--only',
      nasty,
      '--skip',
      'a b',
      '--expected-failures',
      'known failures.yml',
    ])
    expect(() => acted.read('pwned')).toThrow()
  })

  it.each([
    ['nonconformant', 1],
    ['incomplete', 3],
    ['unreachable', 4],
  ])('fails as the command does: %s, %i', (verdict, code) => {
    const acted = act(required, reporting(verdict, code))
    expect(acted.status).toBe(code)
    expect(acted.output()).toBe(`verdict=${verdict}\nexit-code=${code}\n`)
  })

  it('has no verdict of an earlier step where the configuration is wrong', () => {
    const acted = act({ ...required, reports: 'of all' }, 'exit 2', {
      'of all/conformance.json': '{"verdict":"conformant"}',
    })
    expect(acted.status).toBe(2)
    expect(acted.output()).toBe('verdict=\nexit-code=2\n')
  })

  it('hands over its outputs', () => {
    for (const [name, { value }] of Object.entries<{ value: string }>(outputs))
      expect(value).toBe(`\${{ steps.run.outputs.${name} }}`)
  })
})

it('the template for GitLab runs the version that this is, and keeps the reports of every run', () => {
  const template = parse(readFileSync(new URL('gitlab.yml', import.meta.url), 'utf8'))['.store-conformance']
  const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
  expect(template.variables.STORE_CONFORMANCE_VERSION).toBe(version)
  expect(template.artifacts.when).toBe('always')
  expect(JSON.stringify(template)).not.toContain('API_KEY')
})
