import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { listInventory, quantityOf, update } from '../../suites/acts.ts'
import { type List, stockIn } from '../../suites/oracle/lists.ts'
import { canonical, isPetId } from '../interface/numbers.ts'
import { Misconfigured } from '../interface/verdict.ts'
import { MEGABYTE, readInput } from '../wire/read-input.ts'
import { type Client, clientOf } from './client.ts'
import { preflight, type Unreachable } from './preflight.ts'
import type { SendingOptions } from './request.ts'

const undoFile = z.object({
  format: z.literal('store-conformance-undo/1'),
  // Another program may have written the file. The address is printed, and the id becomes part of a path.
  baseUrl: z.string().regex(/^https?:\/\/[\x21-\x7e]+$/),
  pets: z.array(
    z.object({
      petId: z.string().max(400).refine(isPetId),
      quantity: z.string().regex(/^-?[0-9]{1,400}$/),
      /** The store accepted an update that should have restored it, and did not. Another one could change it further. */
      lost: z.literal(true).optional(),
    }),
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
  let pets: ReadonlyMap<string, UndoEntry> = new Map(own?.left.map(pet => [canonical(pet.petId), pet]))
  /** @returns why the file cannot be written */
  const save = (changed: readonly (readonly [string, UndoEntry])[], isKept = false): string | undefined => {
    const before = pets
    pets = new Map(changed)
    try {
      if (own)
        writeDurably(own.path, { format: 'store-conformance-undo/1', baseUrl, pets: [...pets.values()] })
      return undefined
    } catch (error) {
      if (!isKept) pets = before
      return (error as Error).message
    }
  }
  return {
    get open(): readonly UndoEntry[] {
      return [...pets.values()]
    },
    of: (petId: string): UndoEntry | undefined => pets.get(canonical(petId)),
    /** @returns why the file cannot be written: then the stock must not be changed */
    remember: (entry: UndoEntry) => save([...pets, [canonical(entry.petId), entry]]),
    /** @returns why the file cannot be written: then it still lists the pet */
    forget: (petId: string) => save([...pets].filter(([id]) => id !== canonical(petId))),
    /** Notes that no further update may be sent to restore this pet, at least in this run. */
    giveUp(petId: string): void {
      const lost = [...pets].map(([id, entry]) =>
        id === canonical(petId) ? ([id, { ...entry, lost: true }] as const) : ([id, entry] as const),
      )
      save(lost, true)
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

function ownFile(path: string, baseUrl: string) {
  const known = undoFiles(dirname(path))
  const own = known.find(({ left }) => left.baseUrl === baseUrl)
  if (own) return { path: own.path, left: own.left.pets }
  let free = path
  for (let nth = 2; known.some(file => file.path === free); nth += 1)
    free = join(dirname(path), `undo-${nth}.json`)
  return { path: free, left: [] as const }
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

/** Without pets, there is no file. */
function writeDurably(path: string, content: UndoFile): void {
  if (content.pets.length === 0) {
    fs.rmSync(path, { force: true })
    return
  }
  fs.mkdirSync(dirname(path), { recursive: true })
  fs.rmSync(`${path}.new`, { force: true })
  const text = `${JSON.stringify(content, undefined, 2)}\n`
  // Such a new file follows no link, and is on the disk before it is renamed.
  fs.writeFileSync(`${path}.new`, text, { flag: 'wx', mode: 0o600, flush: true })
  fs.renameSync(`${path}.new`, path)
}

/** Milliseconds for restoring stock, including all waits that the store asks for. */
const RESTORE_MS = 60_000

/** The requests that restore stock, also in a run that was stopped. The list is undefined if it cannot be read. */
export function restoring({ send, reader, consent }: Client) {
  const signal = AbortSignal.timeout(RESTORE_MS)
  return {
    async update(petId: string, quantity: string, title: string): Promise<number | undefined> {
      consent.pet.grant(petId)
      // Whether a negative quantity is accepted is not shown. It is sent only to a store that adds.
      const declined = quantity.startsWith('-') ? [400] : []
      const ask = update('pet', petId, quantity, { row: 'restore', title, declined })
      const answer = await send(ask, { body: quantityOf(quantity) }, undefined, signal)
      return answer?.response?.status
    },
    async list(): Promise<List | undefined> {
      const exchange = await send(listInventory(), {}, undefined, signal)
      return exchange && reader.read(exchange)
    },
  }
}

/** What became of a pet whose stock was to be restored. */
interface Restored {
  readonly petId: string
  /** The old value may be one that another client set since the earlier run. */
  readonly change: string
  /** Why its stock was not restored, or is still in the journal, as a sentence. */
  readonly problem?: string
}

/** Restores the stock of these pets, and verifies it in the list. A stock that cannot be restored stays in the journal. */
export async function putBack(
  client: Client,
  journal: UndoJournal,
  due: readonly UndoEntry[],
): Promise<readonly Restored[]> {
  if (due.length === 0) return []
  const before = client.lists().inventory
  const { update, list } = restoring(client)
  const statuses = new Map<UndoEntry, number | undefined>()
  // One after the other: a store that loses one of two simultaneous updates still gets its stock back.
  for (const entry of due.filter(({ lost }) => !lost)) {
    const title = `the update that restores the stock of pet ${entry.petId}`
    statuses.set(entry, await update(entry.petId, entry.quantity, title))
  }
  const inventory = await list()
  return due.map(entry => {
    const { petId, quantity, lost } = entry
    const [was, now, status] = [stockIn(before, petId), stockIn(inventory, petId), statuses.get(entry)]
    const change = `${was === undefined || String(was) === quantity ? '' : `from ${was} `}to ${quantity}`
    if (String(now) === quantity) {
      const error = journal.forget(petId)
      const listed = `the stock of pet ${petId} is ${quantity} again, but the undo journal still lists it: ${error}`
      return { petId, change, ...(error !== undefined && { problem: listed }) }
    }
    const isLost = lost || (status === 200 && now !== undefined)
    if (isLost) journal.giveUp(petId)
    const why = lost
      ? 'an earlier update that should have restored it did not'
      : `the update was answered ${status ?? 'nothing'}`
    const isNow = inventory
      ? `is ${now ?? 'not shown by the inventory'} now; it could not be restored: ${why}`
      : `is unknown now, because the inventory could not be read; ${why}`
    const byHand = `. No further update of it is sent, because each could change it more. Set it to ${quantity} in the store itself, then run npx --no-install store-conformance restore, which compares it`
    const problem = `the stock of pet ${petId} was ${quantity} and ${isNow}${isLost ? byHand : ''}`
    return { petId, change, problem }
  })
}

/**
 * Restores the stock of all pets in the journal. It needs the key, and nothing else of the run.
 * @returns what was restored and what was not, or why the store could not be reached
 */
export async function restoreFromJournal(
  options: SendingOptions & { readonly undoPath: string },
): Promise<readonly Restored[] | Unreachable> {
  const journal = undoJournal(options.undoPath, options.baseUrl)
  const client = clientOf(options)
  try {
    await client.look()
    const unreachable = preflight(client.sent, options.baseUrl, client.proxy)
    return unreachable ?? (await putBack(client, journal, journal.open))
  } finally {
    await client.closeAll()
  }
}
