import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'dotenv'
import { describe, expect, it } from 'vitest'
import { newFolder } from '../http/testing/folder.ts'
import { builtCommand } from './testing/bench.ts'

const BASE = 'https://store.example/v1'

/** A pseudo-terminal that types an answer after each question. */
const pseudoTerminal = `
import json, os, pty, sys, select
pid, fd = pty.fork()
if pid == 0: os.execv(sys.argv[1], sys.argv[1:3] + ['init', '--no-probe'])
out, asked, answers = b'', 0, json.loads(sys.argv[3])
while True:
    try: chunk = os.read(fd, 4096) if select.select([fd], [], [], 30)[0] else b''
    except OSError: break
    if not chunk: break
    out += chunk
    while asked < len(answers) and out.count(b'): ') + out.count(b'prefix: ') > asked:
        os.write(fd, answers[asked].encode()); asked += 1
sys.stdout.buffer.write(out)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`

describe.skipIf(spawnSync('python3', ['--version']).status !== 0)('a real terminal', () => {
  const talk = async (answers: readonly string[]) => {
    const at = newFolder()
    const args = ['-c', pseudoTerminal, process.execPath, builtCommand, JSON.stringify(answers)]
    const { PATH = '', HOME = '' } = process.env
    const { status, stdout } = spawnSync('python3', args, { cwd: at, encoding: 'utf8', env: { PATH, HOME } })
    return { status, stdout, path: join(at, '.env') }
  }

  it('shows the questions and what is typed, but no secret', async () => {
    const lines = [BASE, 'secret-key-77', 'https://store.example/states', 'secret-token-88']
    const { status, stdout, path } = await talk(lines.map(line => `${line}\r`))
    expect(status, stdout).toBe(0)
    expect(stdout).toContain('Address of the store')
    expect(stdout).toContain('https://store.example/states')
    expect(stdout).not.toMatch(/secret-(key-77|token-88)/)
    expect(parse(readFileSync(path))).toMatchObject({
      STORE_API_KEY: 'secret-key-77',
      STORE_STATES_TOKEN: 'secret-token-88',
    })
  })

  it('ends with Ctrl-C, and writes nothing', async () => {
    const { status, stdout, path } = await talk([`${BASE}\r`, '\u0003'])
    expect([status, stdout]).toEqual([2, expect.stringContaining('Nothing was written.')])
    expect(existsSync(path)).toBe(false)
  })
})
