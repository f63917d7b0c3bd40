import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { project, spawned } from '../cli/testing/bench.ts'
import { settings } from '../settings/settings.ts'
import { newFolder, writeFiles } from '../wire/testing/folder.ts'

const { inputs, runs } = parse(readFileSync(join(project, 'action.yml'), 'utf8'))
const steps: readonly { env?: Record<string, string>; run?: string; 'working-directory'?: string }[] =
  runs.steps
const judging = steps.at(-1)?.env ?? {}
/** The options that the runner of GitHub gives to bash. */
const SHELL = ['--noprofile', '--norc', '-e', '-o', 'pipefail']

/**
 * Runs the scripts of the action as the runner of GitHub does, in a stand-in for this project.
 * @param program JavaScript of the command in the stand-in
 */
async function act(
  given: Readonly<Record<string, string>>,
  program: string,
  files: Readonly<Record<string, string>> = {},
) {
  const folder = join(newFolder(), 'with a space')
  const executables = {
    'bin/npm': `#!/bin/bash
{ pwd; printf '%s\\n' "$*"; env; } >> "$FOLDER/npm"
${given['npm'] ?? 'true'}
`,
    'action/package.json': '{}',
    'action/package-lock.json': '{}',
    'action/dist/support/cli/main.js': `const fs = require('node:fs')
fs.writeFileSync(process.env.FOLDER + '/arguments', JSON.stringify(process.argv.slice(2)))
fs.writeFileSync(process.env.FOLDER + '/headers', process.env.STORE_HEADERS)
${program}`,
  }
  writeFiles(folder, { ...executables, ...files }, 0o755)
  const filled = (text: string) =>
    text.replace(/\$\{\{ (\S+) \}\}/g, (_, name: string) => {
      const input = name.replace('inputs.', '')
      if (name === 'github.action_path') return join(folder, 'action')
      return given[input] ?? inputs[input].default ?? ''
    })
  const ended = { code: 0 as number | null, stdout: '', stderr: '' }
  for (const { run, env = {}, 'working-directory': cwd = folder } of steps) {
    if (run === undefined || ended.code !== 0) continue
    const { code, stdout, stderr } = await spawned('bash', [...SHELL, '-c', run], {
      folder: filled(cwd),
      env: {
        ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)])),
        PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
        ...{ RUNNER_TEMP: join(folder, 'temporary'), FOLDER: folder },
        ...{ GITHUB_OUTPUT: join(folder, 'output'), GITHUB_STEP_SUMMARY: join(folder, 'summary') },
      },
    })
    Object.assign(ended, { code, stdout: ended.stdout + stdout, stderr: ended.stderr + stderr })
  }
  return {
    ...ended,
    folder,
    has: (name: string) => existsSync(join(folder, name)),
    read: (name: string) => readFileSync(join(folder, name), 'utf8'),
  }
}

const required = { 'base-url': 'http://127.0.0.1:8080/v1', 'api-key': 'a-key' }
const reporting = (verdict: string, code: number) =>
  `fs.mkdirSync(process.env.STORE_REPORTS_DIR, { recursive: true })
fs.writeFileSync(process.env.STORE_REPORTS_DIR + '/conformance.json', '{"verdict":"${verdict}"}')
process.exit(${code})`

describe.concurrent('the action', () => {
  it('passes each input to the last step as a variable, and inserts none into a script', () => {
    for (const { run = '' } of steps) expect(run).not.toContain('${{')
    const passed = Object.keys(inputs).map(name => `\${{ inputs.${name} }}`)
    expect(Object.values(judging)).toEqual(expect.arrayContaining(passed))
  })

  it('takes each setting of a run as the variable that the command knows, but those of another target', () => {
    const others = ['STORE_STAGING_BASE_URL', 'STORE_STAGING_API_KEY']
    const known = Object.values(settings).flatMap(({ variable }) => variable ?? [])
    const named = Object.keys(judging).filter(name => name.startsWith('STORE_'))
    expect(named.sort()).toEqual(known.filter(name => !others.includes(name)).sort())
  })

  it('builds its own source without any secret, and passes each input without a variable as one argument', async () => {
    const nasty = `list-*"; touch pwned; $(touch pwned) \`touch pwned\``
    const headers = `X-Tenant=blue & green\n\nX-Other=${nasty}\n`
    const more = { only: nasty, skip: 'a b', sign: 'a key.pem', headers }
    const { folder, has, read } = await act({ ...required, ...more }, reporting('partial', 0))
    expect(read('npm').startsWith(`${join(folder, 'action')}\nci --ignore-scripts `)).toBe(true)
    expect(read('npm')).toContain('\nrun build\n')
    expect(read('npm')).not.toContain(required['api-key'])
    const sign = ['--sign', 'a key.pem']
    expect(JSON.parse(read('arguments'))).toEqual(['run', '--only', nasty, '--skip', 'a b', ...sign])
    expect(read('headers')).toBe(headers)
    expect(has('pwned')).toBe(false)
  })

  it.each([
    [0, 'conformant', 'false', 0],
    [3, 'incomplete', 'false', 3],
    [3, 'incomplete', 'true', 0],
    [4, 'unreachable', 'true', 4],
  ])(
    'exits, if the command exits %i (%s) and allow-incomplete is %s, with %i',
    async (ends, verdict, allowed, exit) => {
      const { code, read } = await act({ ...required, 'allow-incomplete': allowed }, reporting(verdict, ends))
      expect([code, read('arguments')]).toEqual([exit, '["run"]'])
      expect(read('output')).toContain(`\nverdict=${verdict}\nexit-code=${ends}\n`)
    },
  )

  it('shows a wrong configuration in an annotation and in the summary, and removes earlier reports', async () => {
    const message =
      'One setting is wrong; nothing was sent.\n  STORE_SEED: "100%" is not a number\n::warning::x\n'
    const earlier = ['conformance.json', 'junit.xml', 'conformance.html', 'allure-results/1-result.json']
    const ending = `process.stderr.write(${JSON.stringify(message)}); process.exit(2)`
    const acted = await act({ ...required, reports: 'of all' }, ending, {
      ...Object.fromEntries(earlier.map(name => [`of all/${name}`, '{"verdict":"conformant"}'])),
      'of all/undo.json': 'to be kept',
    })
    expect(acted.code).toBe(2)
    expect(acted.read('output')).toContain('\nverdict=\nexit-code=2\n')
    // The runner executes no workflow command between these lines.
    const [, token = ''] = /^::stop-commands::(\S+)\n/.exec(acted.stderr) ?? []
    expect(acted.stderr).toBe(`::stop-commands::${token}\n${message}::${token}::\n`)
    expect(acted.stdout).toBe(
      '::error title=Wrong configuration, nothing was judged::One setting is wrong; nothing was sent.%0A  STORE_SEED: "100%25" is not a number%0A::warning::x\n',
    )
    expect(acted.read('summary')).toContain('    One setting is wrong; nothing was sent.\n')
    expect(earlier.filter(name => acted.has(`of all/${name}`))).toEqual([])
    expect(acted.has('of all/undo.json')).toBe(true)
  })

  it('runs nothing if it cannot be built, and leaves no earlier report', async () => {
    const earlier = { 'reports/conformance.json': '{"verdict":"conformant"}' }
    const npm = '[ "$1" = ci ] || { echo no compiler >&2; exit 1; }'
    const acted = await act({ ...required, npm }, reporting('conformant', 0), earlier)
    expect([acted.code, acted.stderr]).toEqual([1, 'no compiler\n'])
    expect(acted.has('arguments') || acted.has('reports/conformance.json')).toBe(false)
  })
})
