import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { canonical, toInteger } from '../http/decimal.ts'
import type { Exchange, RecordedResponse } from '../http/exchange.ts'
import { JsonNumber } from '../http/json.ts'
import { MEGABYTE, readInput } from '../http/read-input.ts'
import { listIn } from '../http/read-json.ts'
import { isPetId } from '../interface/identifiers.ts'
import { Misconfigured } from '../judge/outcome.ts'
import type { StoreClient } from './client.ts'

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

export type UndoJournal = ReturnType<typeof undoJournal>

/**
 * The stock before the run changed it, on disk before the first change is sent, for `store-conformance restore`. Keeps entries of an
 * earlier run on the same store until they are restored, because the oldest value is the original one.
 * @param path `undo.json`. If it belongs to another store, a file beside it is used
 * @throws {Misconfigured} if a journal is damaged
 */
export function undoJournal(path: string | undefined, baseUrl: string) {
  const own = path === undefined ? undefined : ownFile(path, baseUrl)
  let pets: ReadonlyMap<string, UndoFile['pets'][number]> = new Map(
    own?.left?.pets.map(pet => [canonical(pet.petId), pet] as const),
  )
  /** A change counts only once it is on disk. */
  const save = (changed: typeof pets) => {
    if (own && changed.size === 0) rmSync(own.path, { force: true })
    else if (own)
      writeDurably(own.path, { format: 'store-conformance-undo/1', baseUrl, pets: [...changed.values()] })
    pets = changed
  }
  return {
    /** @throws if the file cannot be written: then the stock must not be changed */
    remember(petId: string, quantity: string): void {
      if (pets.has(canonical(petId))) return
      save(new Map([...pets, [canonical(petId), { petId, quantity }]]))
    },
    forget(petIds: readonly string[]): void {
      const gone = new Set(petIds.map(canonical))
      const rest = new Map([...pets].filter(([id]) => !gone.has(id)))
      if (rest.size < pets.size) save(rest)
    },
    /** Notes that no further update may be sent to restore this pet. Never throws. */
    giveUp(petId: string): void {
      const pet = pets.get(canonical(petId))
      if (!pet || pet.lost) return
      const changed = new Map([...pets, [canonical(petId), { ...pet, lost: true as const }]])
      try {
        save(changed)
      } catch {
        pets = changed
      }
    },
    get open() {
      return [...pets.values()]
    },
  }
}

/**
 * The journals in a folder that list stock to be restored: one for each store.
 * @throws {Misconfigured} if one cannot be read: then it is unknown what is still to be restored
 */
export function undoFiles(folder: string): { readonly path: string; readonly left: UndoFile }[] {
  const names = existsSync(folder) ? readdirSync(folder).filter(name => /^undo(-\d+)?\.json$/.test(name)) : []
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

function ownFile(path: string, baseUrl: string): { readonly path: string; readonly left?: UndoFile } {
  const folder = dirname(path)
  const known = undoFiles(folder)
  const own = known.find(({ left }) => left.baseUrl === baseUrl)
  if (own) return own
  const isFree = (each: string) => !known.some(file => file.path === each)
  for (let nth = 2; !isFree(path); nth += 1) path = join(folder, `undo-${nth}.json`)
  return { path }
}

/** @throws if the file is damaged, or a link */
function readUndo(path: string): UndoFile {
  // Somebody else may have put a link in the folder, to a file of the user.
  if (lstatSync(path).isSymbolicLink()) throw new Error(`${path} is a link`)
  try {
    const parsed = undoFile.safeParse(JSON.parse(readInput(path, 64 * MEGABYTE).toString('utf8')))
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    throw new Error(`${issue?.path.join('.')}: ${issue?.message}`)
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`)
  }
}

const NO_LINK = constants.O_NOFOLLOW ?? 0

function writeDurably(path: string, content: UndoFile): void {
  mkdirSync(dirname(path), { recursive: true })
  rmSync(`${path}.new`, { force: true })
  const file = openSync(
    `${path}.new`,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_LINK,
    0o600,
  )
  try {
    // Unlike writeSync, it throws if only a part fits on the disk.
    writeFileSync(file, `${JSON.stringify(content, undefined, 2)}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(`${path}.new`, path)
}

/** The stock of each pet by the canonical text of its id. Undefined if the inventory cannot be read. */
export function stockIn(response: RecordedResponse | undefined): Map<string, string> | undefined {
  const list = listIn(response)
  if (!list) return undefined
  const stock = new Map<string, string>()
  for (const { entry } of list.entries()) {
    const { petId, quantity } = entry
    const whole = quantity instanceof JsonNumber ? toInteger(quantity.source) : undefined
    if (petId instanceof JsonNumber && whole !== undefined) stock.set(canonical(petId.source), String(whole))
  }
  return stock
}

/** A pet whose stock was not restored, and a sentence about it. */
export interface NotRestored {
  readonly petId: string
  readonly problem: string
  /** The stock is restored, but the journal still lists it. */
  readonly isRestored?: true
  /** The inventory could not be read afterwards. */
  readonly isUnknown?: true
  /** The update that should have restored it. */
  readonly answer?: Exchange | undefined
  readonly list?: Exchange | undefined
}

/**
 * Restores the stock of these pets, and verifies it in the list. A stock that cannot be restored stays in the journal.
 * @param stored is called after each update with the number of updates so far
 * @returns a sentence for each pet whose stock was not restored
 */
export async function restoreStock(
  store: StoreClient,
  journal: UndoJournal,
  pets: readonly string[],
  stored: (count: number) => void = () => undefined,
): Promise<NotRestored[]> {
  const wanted = new Set(pets.map(canonical))
  const due = journal.open.filter(({ petId }) => wanted.has(canonical(petId)))
  if (due.length === 0) return []
  const answers = new Map<string, Exchange | undefined>()
  // One after the other: a store that loses one of two simultaneous updates still gets its stock back.
  for (const { petId, quantity } of due.filter(({ lost }) => !lost)) {
    const answer = await store
      .updateInventory(petId, { quantity }, { step: 'the stock is restored' })
      .catch(() => undefined)
    answers.set(petId, answer)
    stored(answers.size)
  }
  const list = await store.listInventory({ step: 'is the stock as it was?' }).catch(() => undefined)
  const stock = stockIn(list?.response)
  const isRestored = ({ petId, quantity }: (typeof due)[number]) => stock?.get(canonical(petId)) === quantity
  const problem = forgotten(journal, due.filter(isRestored))
  return [
    ...problem,
    ...due
      .filter(each => !isRestored(each))
      .map(({ petId, quantity, lost }): NotRestored => {
        const now = stock?.get(canonical(petId))
        const answer = answers.get(petId)
        const status = answer?.response?.status
        const isLost = lost || (status === 200 && now !== undefined)
        if (isLost) journal.giveUp(petId)
        const why = lost
          ? 'an earlier update that should have restored it did not'
          : `the update was answered ${status ?? 'nothing'}`
        const isNow = stock
          ? `is ${now ?? 'not shown by the inventory'} now; it could not be restored: ${why}`
          : `is unknown now, because the inventory could not be read (${list ? (list.problem?.message ?? `status ${list.response?.status}`) : 'no request was sent'}); ${why}`
        const byHand = `. No further update of it is sent, because each could change it more. Set it to ${quantity} in the store itself, then run npx --no-install store-conformance restore, which compares it`
        return {
          petId,
          answer,
          list,
          ...(stock ? {} : { isUnknown: true }),
          problem: `the stock of pet ${petId} was ${quantity} and ${isNow}${isLost ? byHand : ''}`,
        }
      }),
  ]
}

/** Removes restored pets from the journal. @returns a sentence for each if the journal cannot be written */
export function forgotten(
  journal: UndoJournal,
  pets: readonly { readonly petId: string; readonly quantity: string }[],
): NotRestored[] {
  try {
    journal.forget(pets.map(({ petId }) => petId))
    return []
  } catch (error) {
    const { message } = error as Error
    return pets.map(({ petId, quantity }) => ({
      petId,
      isRestored: true,
      problem: `the stock of pet ${petId} is ${quantity} again, but the undo journal still lists it: ${message}`,
    }))
  }
}
