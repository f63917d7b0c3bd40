import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { canonical } from '../http/decimal.ts'
import { MEGABYTE, readInput } from '../http/read-input.ts'
import { isPetId } from '../interface/identifiers.ts'
import { Misconfigured } from './misconfigured.ts'

const undoFile = z.object({
  format: z.literal('store-conformance-undo/1'),
  baseUrl: z.string(),
  // Another program may have written the file, and the id becomes part of a path.
  pets: z.array(
    z.object({ petId: z.string().max(400).refine(isPetId), quantity: z.string().regex(/^-?[0-9]{1,400}$/) }),
  ),
})
export type UndoFile = z.infer<typeof undoFile>

/** The stock before the run changed it. It is on disk before the first change is sent, for `store-conformance restore`. */
export interface UndoJournal {
  /** @throws if the file cannot be written: then the stock must not be changed */
  remember(petId: string, quantity: string): void
  forget(petId: string): void
  readonly open: readonly UndoFile['pets'][number][]
}

/**
 * Keeps entries of an earlier run on the same store until they are restored, because the oldest value is the original one.
 * @throws {Misconfigured} if the file is damaged, or about another store
 */
export function undoJournal(path: string | undefined, baseUrl: string): UndoJournal {
  const left = path === undefined ? undefined : ownUndo(path, baseUrl)
  let pets: ReadonlyMap<string, UndoFile['pets'][number]> = new Map(
    left?.pets.map(pet => [canonical(pet.petId), pet] as const),
  )
  /** A change counts only once it is on disk. */
  const save = (changed: typeof pets) => {
    if (path === undefined) pets = changed
    else if (changed.size === 0) rmSync(path, { force: true })
    else writeDurably(path, { format: 'store-conformance-undo/1', baseUrl, pets: [...changed.values()] })
    pets = changed
  }
  return {
    remember(petId, quantity) {
      if (pets.has(canonical(petId))) return
      save(new Map([...pets, [canonical(petId), { petId, quantity }]]))
    },
    forget(petId) {
      if (!pets.has(canonical(petId))) return
      save(new Map([...pets].filter(([id]) => id !== canonical(petId))))
    },
    get open() {
      return [...pets.values()]
    },
  }
}

/** The entries of an earlier run, which this run must not overwrite. @throws {Misconfigured} */
function ownUndo(path: string, baseUrl: string): UndoFile | undefined {
  let left: UndoFile | undefined
  try {
    left = readUndo(path)
  } catch {
    throw new Misconfigured(
      `${path}, which lists the stock that is still to be restored, is damaged. Inspect it, move it away, and run again.`,
    )
  }
  if (left === undefined || left.baseUrl === baseUrl || left.pets.length === 0) return left
  throw new Misconfigured(
    `${path} lists stock that is still to be restored at ${left.baseUrl}, which is another store. ` +
      'Restore it with store-conformance restore, or name another folder with --out.',
  )
}

/** The stock that is still to be restored, or undefined if there is no file. @throws if the file is damaged */
export function readUndo(path: string): UndoFile | undefined {
  return existsSync(path)
    ? undoFile.parse(JSON.parse(readInput(path, 64 * MEGABYTE).toString('utf8')))
    : undefined
}

function writeDurably(path: string, content: UndoFile): void {
  mkdirSync(dirname(path), { recursive: true })
  const file = openSync(`${path}.new`, 'w')
  try {
    writeSync(file, `${JSON.stringify(content, undefined, 2)}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(`${path}.new`, path)
}
