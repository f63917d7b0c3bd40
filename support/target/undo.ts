import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { listInventory, quantityOf, update } from '../../suites/acts.ts'
import { type List, stockIn } from '../../suites/oracle/lists.ts'
import { canonical, isPetId } from '../interface/numbers.ts'
import { Misconfigured } from '../interface/verdict.ts'
import { shellWord } from '../wire/curl.ts'
import { MEGABYTE, readInput } from '../wire/problems.ts'
import { type Client, type ClientOptions, clientOf } from './client.ts'
import { preflight } from './preflight.ts'

// Another program may have written the file. The address is printed, and the id becomes part of a path.
const undoEntry = z.object({
  petId: z.string().max(400).refine(isPetId),
  quantity: z.string().regex(/^-?[0-9]{1,400}$/),
  /** The store accepted an update that should have restored it, and did not. Another one could change it further. */
  lost: z.literal(true).optional(),
})
const undoFile = z.object({
  format: z.literal('store-conformance-undo/1'),
  baseUrl: z.string().regex(/^https?:\/\/[\x21-\x7e]+$/),
  pets: z.array(undoEntry).min(1),
})
type UndoFile = z.infer<typeof undoFile>
type UndoEntry = z.infer<typeof undoEntry>

export type UndoJournal = ReturnType<typeof undoJournal>

/**
 * Reads what an earlier run has left changed. Without such a file, nothing.
 * @throws {Misconfigured} if it cannot be read: then it is unknown what is still to be restored
 */
function readUndo(path: string): UndoFile | undefined {
  try {
    const stats = fs.lstatSync(path, { throwIfNoEntry: false })
    if (!stats) return undefined
    // Somebody else may have put a link in the folder, to a file of the user.
    if (stats.isSymbolicLink()) throw new Error('it is a link')
    const { data } = undoFile.safeParse(JSON.parse(readInput(path, 64 * MEGABYTE).toString('utf8')))
    if (!data) throw new Error('it is not as this version writes it')
    return data
  } catch (error) {
    throw new Misconfigured(
      `${path} records the stock to restore, but cannot be read: ${(error as Error).message}. Inspect it, move it away, and run again. Nothing was sent.`,
    )
  }
}

/** The files of a folder that list what runs have left changed, by their numbers: the oldest is 1, and the latest has none. */
function numberedIn(folder: string): readonly (readonly [number: number, path: string])[] {
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : []
  return names.flatMap(name => {
    const [found, number = Infinity] = /^undo(?:-([0-9]+))?\.json$/.exec(name) ?? []
    return found ? [[Number(number), join(folder, name)] as const] : []
  })
}

/** What earlier runs in this folder have left changed, the latest first: the value of the oldest is the original one. */
export const undoFiles = (folder: string): readonly (UndoFile & { readonly path: string })[] =>
  numberedIn(folder)
    .toSorted(([one], [other]) => other - one)
    .flatMap(([, path]) => {
      const left = readUndo(path)
      return left ? [{ ...left, path }] : []
    })

/**
 * Moves what an earlier run has left changed to a file of its own, where this run cannot overwrite it.
 * @returns a warning that says how to restore it
 * @throws {Misconfigured} if the file cannot be read
 */
export function setAside(path: string): string | undefined {
  const left = readUndo(path)
  if (!left) return undefined
  const folder = dirname(path)
  const numbers = numberedIn(folder).map(([number]) => number)
  const aside = join(folder, `undo-${1 + Math.max(0, ...numbers.filter(Number.isFinite))}.json`)
  fs.renameSync(path, aside)
  const pets = left.pets.map(({ petId }) => petId).join(', ')
  const command = `npx --no-install store-conformance restore --base-url ${shellWord(left.baseUrl)} --out ${shellWord(folder)}`
  return `an earlier run on ${left.baseUrl} did not restore the stock of ${left.pets.length === 1 ? 'pet' : 'pets'} ${pets}; ${aside} keeps it. To restore it, with the key of that store: ${command}`
}

/**
 * The stock before the run changed it, on disk before the first change is sent, for `store-conformance restore`.
 * @param path `undo.json`. Without a path, it is only in memory
 * @param left what the file has, for restoring it
 */
export function undoJournal(path: string | undefined, baseUrl: string, left: readonly UndoEntry[] = []) {
  const pets = new Map(left.map(entry => [canonical(entry.petId), entry]))
  const save = (): string | undefined => {
    try {
      if (path !== undefined)
        writeDurably(path, { format: 'store-conformance-undo/1', baseUrl, pets: [...pets.values()] })
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  }
  return {
    of: (petId: string): UndoEntry | undefined => pets.get(canonical(petId)),
    /** @returns why the file cannot be written: then the stock must not be changed */
    remember(entry: UndoEntry): string | undefined {
      pets.set(canonical(entry.petId), entry)
      return save()
    },
    /** @returns why the file cannot be written: then it still lists the pet */
    forget(petId: string): string | undefined {
      pets.delete(canonical(petId))
      return save()
    },
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
      const ask = update('pet', petId, quantity, { row: 'restore', title })
      const answer = await send(ask, { body: quantityOf(quantity) }, undefined, signal)
      return answer?.response?.status
    },
    async list(): Promise<List | undefined> {
      const exchange = await send(listInventory(), {}, undefined, signal)
      return exchange && reader.read(exchange)
    },
  }
}

/**
 * Restores the stock of these pets, and verifies it in the list. A stock that cannot be restored stays in the journal.
 * @returns `was`: the stock before that
 */
export async function putBack(client: Client, journal: UndoJournal, due: readonly UndoEntry[]) {
  const before = client.lists().inventory
  const { update, list } = restoring(client)
  let inventory = before
  const isRestored = ({ petId, quantity }: UndoEntry) => String(stockIn(inventory, petId)) === quantity
  let isInexact = due.some(({ lost }) => lost)
  const statuses = new Map<string, number | undefined>()
  // One after the other: a store that loses one of two simultaneous updates still gets its stock back.
  for (const entry of due) {
    const { petId, quantity, lost } = entry
    // A store that adds would change a stock that is as it was.
    if (lost || (isInexact && isRestored(entry))) continue
    statuses.set(petId, await update(petId, quantity, `the update that restores the stock of pet ${petId}`))
    inventory = await list()
    isInexact ||= !isRestored(entry)
  }
  return due.map(entry => {
    const { petId, quantity, lost } = entry
    const [was, now, status] = [stockIn(before, petId), stockIn(inventory, petId), statuses.get(petId)]
    if (isRestored(entry)) {
      const error = journal.forget(petId)
      const listed = `the stock of pet ${petId} is ${quantity} again, but the undo journal still lists it: ${error}`
      return { ...entry, was, problem: error && listed }
    }
    const isLost = lost || (status === 200 && now !== undefined)
    if (isLost) journal.remember({ ...entry, lost: true })
    const isNow = inventory
      ? `is ${now ?? 'not shown by the inventory'} now; it could not be restored`
      : 'is unknown now, because the inventory could not be read'
    const why = lost
      ? 'an earlier update did not restore it'
      : `the update was answered ${status ?? 'nothing'}`
    const byHand = `. No further update of it is sent, because each could change it more. Set it to ${quantity} in the store itself, then run npx --no-install store-conformance restore, which compares it`
    const problem = `the stock of pet ${petId} was ${quantity} and ${isNow}: ${why}${isLost ? byHand : ''}`
    return { ...entry, was, problem }
  })
}

/**
 * Restores the stock of all pets in a journal. It needs the key, and nothing else of the run.
 * @returns what was restored and what was not, or why the store could not be reached
 */
export async function restoreStock(
  options: ClientOptions,
  { path, pets }: ReturnType<typeof undoFiles>[number],
) {
  const journal = undoJournal(path, options.baseUrl, pets)
  const client = clientOf(options)
  try {
    await client.look()
    const unreachable = preflight(client.sent, options.baseUrl, client.proxy)
    return unreachable ?? (await putBack(client, journal, pets))
  } finally {
    await client.closeAll()
  }
}
