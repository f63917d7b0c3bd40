import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { canonical, isPetId } from '../interface/numbers.ts'
import { Misconfigured } from '../interface/verdict.ts'
import { MEGABYTE, readInput } from '../wire/read-input.ts'

const undoFile = z.object({
  format: z.literal('store-conformance-undo/1'),
  // Another program may have written the file. The address is printed, and the id becomes part of a path.
  baseUrl: z.string().regex(/^https?:\/\/[\x21-\x7e]+$/),
  pets: z
    .array(
      z.object({
        petId: z.string().max(400).refine(isPetId),
        quantity: z.string().regex(/^-?[0-9]{1,400}$/),
        /** The store accepted an update that should have restored it, and did not. Another one could change it further. */
        lost: z.literal(true).optional(),
      }),
    )
    .refine(
      pets => new Set(pets.map(({ petId }) => canonical(petId))).size === pets.length,
      'a pet is there twice',
    ),
})
export type UndoFile = z.infer<typeof undoFile>
export type UndoEntry = UndoFile['pets'][number]

export type UndoJournal = ReturnType<typeof undoJournal>

/**
 * The stock before the run changed it, on disk before the first change is sent, for `store-conformance restore`. Keeps entries of an
 * earlier run on the same store until they are restored, because the oldest value is the original one.
 * @param path `undo.json`. If it belongs to another store, a file beside it is used. Without a path, it is only in memory
 * @throws {Misconfigured} if a journal is damaged
 */
export function undoJournal(path: string | undefined, baseUrl: string) {
  const own = path === undefined ? undefined : ownFile(path, baseUrl)
  const pets = new Map(own?.left.map(pet => [canonical(pet.petId), pet]))
  /** @returns why it is not on disk */
  const save = (changed: readonly UndoEntry[]): string | undefined => {
    try {
      if (own && changed.length === 0) fs.rmSync(own.path, { force: true })
      else if (own)
        writeDurably(own.path, { format: 'store-conformance-undo/1', baseUrl, pets: [...changed] })
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  }
  const others = (petId: string) =>
    [...pets.values()].filter(each => canonical(each.petId) !== canonical(petId))
  return {
    get open(): readonly UndoEntry[] {
      return [...pets.values()]
    },
    of: (petId: string): UndoEntry | undefined => pets.get(canonical(petId)),
    /** @returns why the file cannot be written: then the stock must not be changed */
    remember(entry: UndoEntry): string | undefined {
      const error = save([...others(entry.petId), entry])
      if (error === undefined) pets.set(canonical(entry.petId), entry)
      return error
    },
    /** @returns why the file cannot be written: then it still lists the pet */
    forget(petId: string): string | undefined {
      const error = save(others(petId))
      if (error === undefined) pets.delete(canonical(petId))
      return error
    },
    /** Notes that no further update may be sent to restore this pet, at least in this run. */
    giveUp(petId: string): void {
      const entry = pets.get(canonical(petId))
      if (!entry) return
      pets.set(canonical(petId), { ...entry, lost: true })
      save([...pets.values()])
    },
  }
}

/**
 * The journals in a folder that list stock to be restored: one for each store.
 * @throws {Misconfigured} if one cannot be read: then it is unknown what is still to be restored
 */
export function undoFiles(folder: string): { readonly path: string; readonly left: UndoFile }[] {
  const names = fs.existsSync(folder)
    ? fs.readdirSync(folder).filter(name => /^undo(-\d+)?\.json$/.test(name))
    : []
  try {
    return names
      .sort()
      .map(name => ({ path: join(folder, name), left: readUndo(join(folder, name)) }))
      .filter(({ left }) => left.pets.length > 0)
  } catch (error) {
    throw new Misconfigured(
      `${folder} has an undo.json that records the stock to restore, but cannot be read: ${(error as Error).message}. Inspect it, move it away, and run again. Nothing was sent.`,
    )
  }
}

function ownFile(
  path: string,
  baseUrl: string,
): { readonly path: string; readonly left: readonly UndoEntry[] } {
  const known = undoFiles(dirname(path))
  const own = known.find(({ left }) => left.baseUrl === baseUrl)
  if (own) return { path: own.path, left: own.left.pets }
  let free = path
  for (let nth = 2; known.some(file => file.path === free); nth += 1)
    free = join(dirname(path), `undo-${nth}.json`)
  return { path: free, left: [] }
}

/** @throws if the file is damaged, or a link */
function readUndo(path: string): UndoFile {
  // Somebody else may have put a link in the folder, to a file of the user.
  if (fs.lstatSync(path).isSymbolicLink()) throw new Error(`${path} is a link`)
  try {
    const parsed = undoFile.safeParse(JSON.parse(readInput(path, 64 * MEGABYTE).toString('utf8')))
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    throw new Error(`${issue?.path.join('.')}: ${issue?.message}`)
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`)
  }
}

function writeDurably(path: string, content: UndoFile): void {
  fs.mkdirSync(dirname(path), { recursive: true })
  fs.rmSync(`${path}.new`, { force: true })
  const text = `${JSON.stringify(content, undefined, 2)}\n`
  // Such a new file follows no link, and is on the disk before it is renamed.
  fs.writeFileSync(`${path}.new`, text, { flag: 'wx', mode: 0o600, flush: true })
  fs.renameSync(`${path}.new`, path)
}
