import type { Command } from 'commander'

interface CommandInfo {
  readonly about: string
  /** Its arguments, for the list of commands. */
  readonly usage?: string
  /** Loads what adds arguments, flags and the action. */
  load(): Promise<(command: Command) => unknown>
}

/** In the order of the help. */
export const commands: Readonly<Record<string, CommandInfo>> = {
  run: {
    about: 'judge the store that flags, environment or .env name',
    load: async () => (await import('./run.ts')).addRun,
  },
  serve: {
    about: 'serve the bundled reference store, to develop a client against it',
    load: async () => (await import('./serve.ts')).addServe,
  },
  doctor: {
    about: 'check what a run needs, and print what it would send and may change; judge nothing',
    load: async () => (await import('./doctor.ts')).addDoctor,
  },
  list: {
    about:
      'list the rules, explain one, or list the statements of the document with the rules that check them',
    usage: '[rule]',
    load: async () => (await import('./list.ts')).addList,
  },
  restore: {
    about: 'restore the stock that an interrupted run had changed (reports/undo.json)',
    load: async () => (await import('./restore.ts')).addRestore,
  },
  diff: {
    about:
      'compare the reports of two runs: what fails now and passed before, what passes now, what is not tested any more',
    usage: '<old> <new>',
    load: async () => (await import('./diff.ts')).addDiff,
  },
  selfcheck: {
    about: 'check the suite itself: judge the reference store with each fault and each freedom',
    load: async () => (await import('./selfcheck.ts')).addSelfcheck,
  },
}
