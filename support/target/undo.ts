import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { canonical } from '../http/decimal.ts'

const undoFile = z.object({
  format: z.literal('store-conformance-undo/1'),
  baseUrl: z.string(),
  pets: z.array(z.object({ petId: z.string(), quantity: z.string().regex(/^-?[0-9]+$/) })),
})
export type UndoFile = z.infer<typeof undoFile>

/** The stock as it was before the run changed it, on disk before the first change leaves (what `restore` uses). */
export interface UndoJournal {
  /** @throws where the file can't be written: then nothing may be changed */
  remember(petId: string, quantity: string): void
  forget(petId: string): void
  readonly open: readonly UndoFile['pets'][number][]
}

/**
 * What an earlier run left behind for the same store is kept until it is put back: the older value is the true one.
 */
export function undoJournal(path: string | undefined, baseUrl: string): UndoJournal {
  const left = path === undefined ? undefined : readUndo(path)
  const pets = new Map(
    left?.baseUrl === baseUrl ? left.pets.map(pet => [canonical(pet.petId), pet] as const) : [],
  )
  const save = () => {
    if (path === undefined) return
    if (pets.size === 0) rmSync(path, { force: true })
    else writeDurably(path, { format: 'store-conformance-undo/1', baseUrl, pets: [...pets.values()] })
  }
  return {
    remember(petId, quantity) {
      if (pets.has(canonical(petId))) return
      pets.set(canonical(petId), { petId, quantity })
      save()
    },
    forget(petId) {
      if (pets.delete(canonical(petId))) save()
    },
    get open() {
      return [...pets.values()]
    },
  }
}

/** What is still to be put back, or undefined where there is no such file. @throws where the file is damaged */
export function readUndo(path: string): UndoFile | undefined {
  return existsSync(path) ? undoFile.parse(JSON.parse(readFileSync(path, 'utf8'))) : undefined
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
