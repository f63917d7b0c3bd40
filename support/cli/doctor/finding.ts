import { EXIT_WRONG_USAGE, exitCodes } from '../../judge/verdict.ts'

export const UNREACHABLE = exitCodes.unreachable

/** What was checked, the result, and what to do next. */
export interface Finding {
  /** `note`: a run is possible, but judges fewer rules or leaves something behind. `wrong`: a run is impossible, or its verdict would be wrong. */
  readonly mark: 'ok' | 'note' | 'wrong'
  readonly what: string
  readonly says: string
  readonly todo?: string
  /** Exit code of the command, if the mark is `wrong`. */
  readonly exit?: typeof EXIT_WRONG_USAGE | typeof UNREACHABLE
}

export const ok = (what: string, says: string): Finding => ({ mark: 'ok', what, says })

export const note = (what: string, says: string, todo?: string): Finding => ({
  mark: 'note',
  what,
  says,
  ...(todo === undefined ? {} : { todo }),
})

export const wrong = (
  what: string,
  says: string,
  todo: string,
  exit: Finding['exit'] = EXIT_WRONG_USAGE,
): Finding => ({ mark: 'wrong', what, says, todo, exit: exit ?? EXIT_WRONG_USAGE })

export const findingText = ({ mark, what, says, todo }: Finding): string =>
  [
    `  ${mark.padEnd(5)}  ${what.padEnd(14)}  ${says}`,
    ...(todo === undefined ? [] : [`${' '.repeat(25)}→ ${todo}`]),
  ].join('\n')

/** The highest exit code. An unreachable store (4) outranks a wrong configuration (2). */
export const exitOf = (findings: readonly Finding[]): number =>
  Math.max(0, ...findings.map(({ mark, exit }) => (mark === 'wrong' ? (exit ?? EXIT_WRONG_USAGE) : 0)))
