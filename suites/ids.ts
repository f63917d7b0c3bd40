import {
  control,
  type Exchange,
  expectErrorBody,
  expectJsonType,
  expectStatus,
  type FastCheck,
  find,
  isSuccess,
  lastOf,
  NotApplicable,
  NotArranged,
  property,
  type Rule,
  rule,
  sendUntilComplete,
  showsIds,
  Violation,
} from '../support/authoring/index.ts'
import { operations } from '../support/interface/operations.ts'

/** Bits of usual integer types, and of the integers that a double holds exactly. 24 stands for 8 and 16, too. */
const WORD_SIZES = [24n, 31n, 32n, 53n] as const

/** Each leaves the same digits as the smaller ones. Below 7, the store may hand the id out next. A double holds 10^15, and 32 bits 10^9. */
const POWERS_OF_TEN = [7n, 9n, 15n, 18n] as const

/**
 * Integers that equal this one only in part: negated, the same remainder for a usual modulus, or the same leading or trailing digits. A
 * shortened one is left out, because a store that compares beginnings would find other resources by it.
 */
export function similarIntegers(id: bigint): bigint[] {
  const digits = String(id).replace('-', '').length
  const similar = [
    -id,
    ...WORD_SIZES.map(bits => id + 2n ** bits),
    id - 2n ** 32n,
    ...POWERS_OF_TEN.filter(power => power >= digits).map(power => id + 10n ** power),
    id * 10n,
    id * 1000n,
    id * 10n ** 7n,
    // The digits of the id after a further one.
    id < 0n ? id - 10n ** BigInt(digits) : id + 10n ** BigInt(digits),
  ]
  return [...new Set(similar)].filter(each => each !== id)
}

/** A request for an id that does not exist, and the list after it. */
interface TriedId {
  readonly id: string
  readonly answer: Exchange
  readonly list: Exchange
  /** Whether a list has shown something that was tried. Another scenario may arrange an order with the id after the answer. */
  readonly isCreated: boolean
}

type ChangingOperation = 'cancelOrder' | 'updateInventory'

interface UnknownIds {
  readonly title: string
  readonly usually: string
  /** Tried first, where nothing has them. */
  readonly edges: readonly bigint[]
  readonly arbitrary: (fc: FastCheck) => ReturnType<FastCheck['bigInt']>
}

const unknownTried = (operation: ChangingOperation, { edges, arbitrary }: UnknownIds) => {
  const { resource: what } = operations[operation]
  return property(
    what === 'order' ? 'orders that do not exist, cancelled' : 'pets that do not exist, updated',
    {},
    async ({ store, states }, fc) => {
      const { isFree } = states.ids[what]
      const known = BigInt(what === 'order' ? states.unknownOrder() : states.unknownPet())
      const send = async (id: bigint): Promise<readonly Exchange[]> => {
        const created = () => states.created(what)
        const earlier = created()
        if (earlier?.id === String(id)) return [earlier.exchange]
        // Checked here, because a filter in the generator never ends if almost no id is free, and because another scenario may
        // get an order with this id meanwhile.
        const isUnknown = () => id === known || (isFree(id) && !created())
        if (isUnknown()) {
          const step = `${what === 'order' ? 'an' : 'a'} ${what} that does not exist`
          const answers = await sendUntilComplete(store, client =>
            client.call(operation, String(id), { quantity: '7' }, { step }),
          )
          if (lastOf(answers).response?.status !== 404) await states.settled()
          if (isUnknown() || created()?.exchange === lastOf(answers)) return answers
        }
        throw new NotApplicable('the id could be mistaken for one that is not the run’s own')
      }
      const act = async ([first = known, ...others]: readonly bigint[]) => {
        // The first one alone: if the store accepts it, the others are not sent.
        const sent = [await send(first), ...others.map(send)]
        await Promise.allSettled(sent)
        const list = await (what === 'order' ? store.listOrders : store.listInventory)({ step: 'after' })
        return sent.map(async (answering, at): Promise<TriedId> => {
          const answers = await answering
          const id = String([first, ...others][at])
          return { id, answer: lastOf(answers), list, isCreated: states.created(what) !== undefined }
        })
      }
      return {
        examples: [known, ...edges.filter(isFree)],
        arbitrary: arbitrary(fc),
        share: 0.25,
        act,
        show: (id: bigint) => `${what} ${id}`,
      }
    },
  )
}

/** The rules about an id that does not exist. */
export const unknownRules = (operation: ChangingOperation, unknown: UnknownIds): readonly Rule[] => {
  const { title, usually } = unknown
  const { resource: what, slug, harmless } = operations[operation]
  const { clause } = harmless
  const [prefix, name, lists] =
    what === 'order'
      ? (['cancel', 'id', 'list-orders'] as const)
      : (['update', 'petId', 'list-inventory'] as const)
  const here = { operation, given: unknownTried(operation, unknown), level: 'required' } as const
  return [
    rule({
      ...here,
      id: `${prefix}-unknown-404`,
      clause,
      title,
      after: `auth-valid-key-${slug}`,
      // That rule sends the same request.
      isSoundAlone: true,
      expect: ({ answer }) => expectStatus(answer, 404),
      usually,
    }),
    rule({
      ...here,
      id: `${prefix}-404-content-type`,
      clause: '1/json',
      title: `The 404 response of ${operation} is application/json`,
      after: `${prefix}-unknown-404`,
      expect: ({ answer }) => expectJsonType(answer),
    }),
    rule({
      ...here,
      id: `${prefix}-404-error-body`,
      clause: '2/error',
      title: `The 404 response of ${operation} has an Error body: code, message and the status 404`,
      after: `${prefix}-404-content-type`,
      expect: ({ answer }) => expectErrorBody(answer),
    }),
    rule({
      ...here,
      id: `${prefix}-unknown-creates-nothing`,
      level: 'implied',
      because: `The 404 states that the ${what} does not exist, so the request does not create it.`,
      clause,
      title: `${operation} does not create the ${what} that it does not find`,
      after: [`${prefix}-unknown-404`, `${lists}-objects`],
      expect({ id, answer, list, isCreated }) {
        control(list, 200, 'the list')
        if (!showsIds(list, name)) throw new NotApplicable(`some entries have no ${name}`)
        if (isCreated && find(list, name, id))
          throw new Violation(`no ${what} ${id} in the list`, 'an entry for it', answer, list)
      },
      usually: 'The lookup adds what it does not find, or the entry is created before it.',
    }),
  ]
}

/** Whether it is the answer to an order that does not exist (404) or that cannot be cancelled (409). */
export const saysNotPending = ({ response }: Exchange): boolean => [404, 409].includes(response?.status ?? 0)

/** A named order may have been cancelled or shipped since, by an earlier run or by other traffic. */
export const notPending = (order: string, { response }: Exchange): NotArranged =>
  new NotArranged(
    `order ${order} was named as pending, but its first cancellation was answered ${response?.status}`,
    `name orders that are still pending (--pending-orders): ${order} is not, unless the store refuses it wrongly or has cancelled it by mistake`,
  )

/** @throws {Violation} if one of the requests was accepted */
export function expectNoneAccepted(answers: readonly Exchange[], expected: string): void {
  const accepted = answers.find(isSuccess)
  if (accepted) throw new Violation(expected, String(accepted.response?.status), accepted)
}
