import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'dotenv'
import { describe, expect, it } from 'vitest'
import { init } from './init/initialise.ts'
import { bench } from './testing/bench.ts'
import { builtCommand } from './testing/command.ts'

const { run, plain, closing } = bench()

const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'store-conformance-init-'))
  closing(() => rmSync(made, { recursive: true }))
  return made
}

describe.concurrent('init with flags', () => {
  it('sends only GET requests, and writes .env readable only by its owner', async () => {
    const store = await plain()
    const before = store.dump()
    const ended = await run(['init', '--base-url', `${store.baseUrl}/`, '--pending-orders', '101,102'], {
      env: { STORE_API_KEY: store.key },
    })
    expect(ended.code, ended.stderr).toBe(0)
    const path = join(ended.folder, '.env')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(parse(readFileSync(path))).toEqual({
      STORE_BASE_URL: `${store.baseUrl}/`,
      STORE_API_KEY: store.key,
      STORE_PENDING_ORDERS: '101,102',
    })
    expect(ended.stdout).toContain('name 1 more pending order (--pending-orders)')
    expect(ended.stdout).toContain('name 2 pets (--pets)')
    expect(ended.stdout + ended.stderr).not.toContain(store.key)
    expect(new Set(store.requests.map(({ method }) => method))).toEqual(new Set(['GET']))
    expect(store.dump()).toBe(before)

    const doctor = await run(['doctor'], { folder: ended.folder })
    expect(doctor.code, doctor.stdout).toBe(0)
  })

  it('replaces an existing .env only with --force, and sets its mode to 600', async () => {
    const store = await plain()
    const files = { '.env': 'STORE_API_KEY=precious\n' }
    const env = { STORE_API_KEY: store.key }
    const kept = await run(['init', '--base-url', store.baseUrl], { env, files })
    expect(kept.code).toBe(2)
    expect(kept.stderr).toContain('--force')
    expect(kept.read('.env')).toBe(files['.env'])
    expect(store.requests).toEqual([])

    chmodSync(join(kept.folder, '.env'), 0o644)
    const forced = await run(['init', '--force', '--base-url', store.baseUrl], { env, folder: kept.folder })
    expect(forced.code, forced.stderr).toBe(0)
    expect(parse(forced.read('.env'))['STORE_API_KEY']).toBe(store.key)
    expect(statSync(join(kept.folder, '.env')).mode & 0o777).toBe(0o600)
  })

  it('reads the key from a file, and writes it into .env', async () => {
    const store = await plain()
    const files = { 'key.txt': `${store.key}\n` }
    const ended = await run(['init', '--base-url', store.baseUrl, '--api-key-file', 'key.txt'], { files })
    expect(ended.code, ended.stderr).toBe(0)
    expect(parse(ended.read('.env'))['STORE_API_KEY']).toBe(store.key)
  })

  it('writes nothing if the store is unreachable, unless --no-probe is given', async () => {
    const env = { STORE_API_KEY: 'some-key-0815' }
    const failed = await run(['init', '--base-url', 'http://127.0.0.1:1/v1'], { env })
    expect(failed.code).toBe(4)
    expect(failed.has('.env')).toBe(false)
    const blind = await run(['init', '--no-probe', '--base-url', 'http://127.0.0.1:1/v1'], { env })
    expect(blind.code, blind.stderr).toBe(0)
    expect(blind.has('.env')).toBe(true)
  })

  it('without a terminal, names every missing or invalid setting', async () => {
    const ended = await run(['init', '--pets', 'one'])
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain('STORE_BASE_URL')
    expect(ended.stderr).toContain('STORE_API_KEY')
    expect(ended.stderr).toContain('STORE_PETS')
    expect(ended.has('.env')).toBe(false)
  })
})

describe('init at a terminal', () => {
  const talk = async (answers: readonly string[], given = {}, probe = false) => {
    const at = folder()
    const said: string[] = []
    const asked: { question: string; secret: boolean }[] = []
    const left = [...answers]
    const ask = async (question: string, secret: boolean) => {
      asked.push({ question, secret })
      return left.shift() ?? expect.fail(`no answer is left for ${question}`)
    }
    const say = (text: string) => said.push(text)
    const code = await init({ given, force: false, probe, env: {}, folder: at, ask, say })
    const path = join(at, '.env')
    return {
      code,
      asked,
      said: said.join('\n'),
      env: existsSync(path) ? parse(readFileSync(path)) : {},
      left,
    }
  }

  it('asks for each missing setting until the answer is valid, and hides secrets', async () => {
    const { env, asked, said, left } = await talk([
      '',
      'store.example',
      'https://store.example/v1',
      'two words',
      'a-Key#1',
      '',
      '12,x',
      '12,13',
      '',
      'any',
    ])
    expect(left).toEqual([])
    expect(env).toEqual({
      STORE_BASE_URL: 'https://store.example/v1',
      STORE_API_KEY: 'a-Key#1',
      STORE_PENDING_ORDERS: '12,13',
      STORE_PETS: 'any',
    })
    expect(said).toContain('A value is required.')
    expect(said).toContain('"store.example" is not an address')
    expect(said).toContain('"x" is not an order id')
    expect(asked.filter(({ secret }) => secret).map(({ question }) => question)).toEqual([
      'API key (not shown)',
      'API key (not shown)',
    ])
  })

  it('with a states endpoint, asks for its token and not for ids', async () => {
    const { env, said } = await talk([
      'https://store.example/v1',
      'a-key',
      'https://store.example/states',
      'a-token',
    ])
    expect(env).toMatchObject({
      STORE_STATES_URL: 'https://store.example/states',
      STORE_STATES_TOKEN: 'a-token',
    })
    expect(said).toMatch(/To check that the provider states arrange .*: npx store-conformance doctor$/)
  })

  it('checks each answer at the store, and asks again', async () => {
    const store = await plain()
    const answers = [
      'http://127.0.0.1:1/v1',
      store.baseUrl,
      'wrong-key',
      store.key,
      '',
      '101,999',
      '101',
      '',
      'any',
    ]
    const { env, said, left, code } = await talk(answers, {}, true)
    expect([code, left]).toEqual([0, []])
    expect(env).toMatchObject({ STORE_BASE_URL: store.baseUrl, STORE_PENDING_ORDERS: '101' })
    expect(said).toMatch(/port 1 does not answer[\s\S]*refuses the API key[\s\S]*999 not listed/)
    expect(new Set(store.requests.map(({ method }) => method))).toEqual(new Set(['GET']))
  })

  it('does not ask for what was given', async () => {
    const { asked } = await talk(['a-key'], {
      baseUrl: 'https://store.example/v1',
      statesModule: 'package.json',
    })
    expect(asked.map(({ question }) => question)).toEqual(['API key (not shown)'])
  })

  it.each(["it's#1", 'say"it"#2', '$HOME\\n', `a'b"c`])(
    'writes the key %s so that it is read back the same',
    async key => {
      const { env } = await talk(['https://store.example/v1', key, '', '', '', ''])
      expect(env['STORE_API_KEY']).toBe(key)
    },
  )

  it('keeps a .env that another process creates meanwhile', async () => {
    const at = folder()
    const ask = async () => {
      writeFileSync(join(at, '.env'), 'mine')
      return 'a-key'
    }
    const given = { baseUrl: 'https://store.example/v1', statesModule: 'package.json' }
    const waiting = init({ given, force: false, probe: false, env: {}, folder: at, ask, say: () => {} })
    await expect(waiting).rejects.toThrow(/EEXIST/)
    expect(readFileSync(join(at, '.env'), 'utf8')).toBe('mine')
  })
})

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
    const at = folder()
    const main = await builtCommand()
    const args = ['-c', pseudoTerminal, process.execPath, main, JSON.stringify(answers)]
    const { PATH = '', HOME = '' } = process.env
    const { status, stdout } = spawnSync('python3', args, { cwd: at, encoding: 'utf8', env: { PATH, HOME } })
    return { status, stdout, path: join(at, '.env') }
  }

  it('shows the questions and what is typed, but no secret', async () => {
    const lines = [
      'https://store.example/v1',
      'secret-key-77',
      'https://store.example/states',
      'secret-token-88',
    ]
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
    const { status, stdout, path } = await talk(['https://store.example/v1\r', '\u0003'])
    expect(status).toBe(2)
    expect(stdout).toContain('Nothing was written.')
    expect(existsSync(path)).toBe(false)
  })
})
