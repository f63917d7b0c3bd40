import { execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** A store in another language: its source, and how to start it. */
export interface OtherStore {
  readonly name: string
  readonly apiKey: string
  readonly source: string
  /** Starts the source in a folder of its own. It prints its port. @throws if it does not compile or start */
  readonly start: (source: string) => Promise<RunningStore>
}

export interface RunningStore {
  readonly port: number
  readonly stop: () => void
}

const run = promisify(execFile)
const START_LIMIT_MS = 20_000

export const otherStores: readonly OtherStore[] = [
  {
    name: 'python',
    apiKey: 'Python-Store-Key-1',
    source: read('store.py'),
    start: source => started('store.py', source, folder => ['python3', [join(folder, 'store.py')]]),
  },
  {
    name: 'java',
    apiKey: 'Java-Store-Key-1',
    source: read('Store.java'),
    start: source =>
      started(
        'Store.java',
        source,
        folder => ['java', ['-Dsun.net.httpserver.nodelay=true', '-cp', folder, 'Store']],
        folder => run('javac', ['-d', folder, join(folder, 'Store.java')]),
      ),
  },
]

function read(file: string): string {
  return readFileSync(fileURLToPath(new URL(`stores/${file}`, import.meta.url)), 'utf8')
}

async function started(
  file: string,
  source: string,
  command: (folder: string) => readonly [string, readonly string[]],
  compile?: (folder: string) => Promise<unknown>,
): Promise<RunningStore> {
  const folder = mkdtempSync(join(tmpdir(), 'store-mutant-'))
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, file), source)
    await compile?.(folder)
    const [program, parameters] = command(folder)
    const child = spawn(program, parameters, { stdio: ['ignore', 'pipe', 'ignore'] })
    const stop = () => {
      child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    }
    const timer = setTimeout(stop, START_LIMIT_MS)
    for await (const line of createInterface({ input: child.stdout })) {
      clearTimeout(timer)
      return { port: Number(line), stop }
    }
    clearTimeout(timer)
    throw new Error('the store ended before it printed its port')
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}
