import { spawn } from 'node:child_process'

/** One line of the table: a figure of the suite, and the least possible figure (floor), measured in the same round. */
export interface Line {
  readonly name: string
  /** What the floor measures. The figure is divided by it. */
  readonly floor: string
  readonly rounds: number
  round(): Promise<{ readonly figure: number; readonly floor: number; readonly note?: string }>
}

export interface Measured {
  readonly name: string
  readonly floor: string
  readonly rounds: number
  /** Figure divided by floor: the median, the least and the greatest of all rounds. */
  readonly ratio: number
  readonly least: number
  readonly greatest: number
  readonly note?: string
}

export async function measure({ name, floor, rounds, round }: Line): Promise<Measured> {
  const ratios: number[] = []
  let note: string | undefined
  for (let nth = 0; nth < rounds; nth += 1) {
    const measured = await round()
    ratios.push(measured.figure / measured.floor)
    note = measured.note
  }
  ratios.sort((a, b) => a - b)
  const at = (share: number) => rounded(ratios[Math.floor((ratios.length - 1) * share)] ?? 0)
  return {
    name,
    floor,
    rounds,
    ratio: at(0.5),
    least: at(0),
    greatest: at(1),
    ...(note === undefined ? {} : { note }),
  }
}

const rounded = (value: number): number => Number(value.toPrecision(3))

export interface Timed<Result> {
  readonly ms: number
  readonly result: Result
}

export async function timed<Result>(act: () => Promise<Result>): Promise<Timed<Result>> {
  const startedAt = performance.now()
  const result = await act()
  return { ms: performance.now() - startedAt, result }
}

export interface Ended {
  readonly ms: number
  readonly code: number | null
  /** Peak memory in megabytes, as the process reports at its end. Undefined if it reports none. */
  readonly peak: number | undefined
  readonly stdout: string
}

/** Writes the peak memory of the process to file descriptor 3 when the process ends. */
const REPORT_PEAK = `data:text/javascript,${encodeURIComponent(
  "import { writeSync } from 'node:fs'; process.on('exit', () => { try { writeSync(3, String(process.resourceUsage().maxRSS)) } catch {} })",
)}`

/** Runs a Node program in a separate process. */
export async function node(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['--import', REPORT_PEAK, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
  })
  const [stdout, peak] = await Promise.all([textOf(child.stdio[1]), textOf(child.stdio[3])])
  const code = child.exitCode ?? (await new Promise<number | null>(resolve => child.once('close', resolve)))
  return {
    ms: performance.now() - startedAt,
    code,
    peak: peak === '' ? undefined : Math.round(Number(peak) / 1024),
    stdout,
  }
}

async function textOf(stream: unknown): Promise<string> {
  let text = ''
  for await (const chunk of stream as AsyncIterable<Buffer>) text += String(chunk)
  return text
}
