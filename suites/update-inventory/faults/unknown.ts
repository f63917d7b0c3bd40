import {
  addEntry,
  type Context,
  emptyAnswer,
  type Fault,
  type Override,
  stockKey,
} from '../../../support/reference/authoring.ts'
import { misshapenErrors } from '../../every-exchange/faults/misshapen-errors.ts'

const create = ({ domain, segment = '0' }: Context) => {
  const known = domain.stock.get(stockKey(segment))
  return known ?? addEntry(domain, { petId: segment, quantity: 7n })
}

const unknown =
  (status: number): Override =>
  base => ({
    answerUpdate: (entry, ctx) => (entry ? base.answerUpdate(entry, ctx) : emptyAnswer(status)),
  })

/** Finds a pet by an integer that is not its own petId but matches. */
const finding =
  (matches: (id: bigint, pet: bigint) => boolean): Override =>
  base => ({
    findEntry: (petId, ctx) =>
      base.findEntry(petId, ctx) ??
      [...ctx.domain.stock.values()].find(
        entry => isInteger(petId) && isInteger(entry.petId) && matches(BigInt(petId), BigInt(entry.petId)),
      ),
  })

const isInteger = (text: string): boolean => /^-?[0-9]+$/.test(text)

const similar: readonly (readonly [
  id: string,
  title: string,
  matches: (id: bigint, pet: bigint) => boolean,
])[] = [
  ['sign-lost', 'The sign of the petId is ignored', (id, pet) => -id === pet],
  [
    'in-32-bits',
    'The petId is truncated to 32 bits',
    (id, pet) => id > 2n ** 31n && BigInt.asIntN(32, id) === pet,
  ],
  [
    'modulo-2-31',
    'Pets are found by the last 31 bits of the petId, as with a mask that removes the sign',
    (id, pet) => BigInt.asUintN(31, id) === BigInt.asUintN(31, pet),
  ],
  [
    'modulo-2-53',
    'Pets are found by the last 53 bits of the petId',
    (id, pet) => BigInt.asUintN(53, id) === BigInt.asUintN(53, pet),
  ],
  [
    'modulo-10-6',
    'Pets are found by the last six digits of the petId',
    (id, pet) => id > 10n ** 9n && id % 10n ** 6n === pet,
  ],
  ['leading-digits', 'Pets are found by the leading digits of the petId', (id, pet) => id / 1000n === pet],
]

/** Pets that do not exist, and paths that are not a petId. */
export const faults: readonly Fault[] = [
  ...[200, 204, 400, 409, 422, 500].map(
    (status): Fault => ({
      id: `unknown-pet-${status}`,
      title: `A pet that does not exist is answered ${status}`,
      breaks: ['update-unknown-404'],
      override: unknown(status),
    }),
  ),
  {
    id: 'unknown-pet-created',
    title: 'A pet that does not exist is created',
    breaks: ['update-unknown-404'],
    override: base => ({ findEntry: (petId, ctx) => base.findEntry(petId, ctx) ?? create(ctx) }),
  },
  {
    id: 'unknown-pet-404-and-created',
    title: 'A pet that does not exist is answered 404 but created',
    breaks: ['update-unknown-creates-nothing'],
    override: base => ({
      answerUpdate: (entry, ctx) => {
        if (!entry && ctx.segment) create(ctx)
        return base.answerUpdate(entry, ctx)
      },
    }),
  },
  ...similar.map(
    ([id, title, matches]): Fault => ({
      id: `pet-path-${id}`,
      title,
      breaks: ['update-similar-id-changes-nothing'],
      override: finding(matches),
    }),
  ),
  {
    id: 'pet-path-as-far-as-digits',
    title: 'The digits at the beginning of the petId are read, and the rest is ignored',
    breaks: ['update-nameless-path-changes-nothing'],
    override: base => ({
      readPetId: (text, ctx) => base.readPetId(/^-?\d+(\.\d+)?/.exec(text)?.[0] ?? text, ctx),
    }),
  },
  {
    id: 'pet-path-from-the-first-digit',
    title: 'The petId is read from its first digit on',
    breaks: ['update-nameless-path-changes-nothing'],
    override: base => ({ readPetId: (text, ctx) => base.readPetId(text.replace(/^[^-\d]+/, ''), ctx) }),
  },
  {
    id: 'pet-path-in-sql',
    title: 'The petId becomes part of an SQL query: "12 or 1" is the pet 12',
    breaks: ['update-nameless-path-changes-nothing'],
    override: base => ({ readPetId: (text, ctx) => base.readPetId(text.replace(/ or .*/, ''), ctx) }),
  },
  {
    id: 'pet-path-word-200',
    title: 'A petId that is not a number is answered 200',
    breaks: ['update-nameless-path-changes-nothing'],
    override: base => ({
      answerUpdate: (entry, ctx) =>
        entry || base.readPetId(ctx.segment ?? '', ctx) !== undefined
          ? base.answerUpdate(entry, ctx)
          : emptyAnswer(200),
    }),
  },
  {
    id: 'pet-path-refused-and-read',
    title: 'A petId that contains a number is answered 404 but changes the stock of that pet',
    breaks: ['update-nameless-path-changes-nothing'],
    override: base => ({
      answerUpdate: (entry, ctx) => {
        const pet = ctx.domain.stock.get(stockKey(/\d+/.exec(ctx.segment ?? '')?.[0] ?? '0'))
        const isWord = base.readPetId(ctx.segment ?? '', ctx) === undefined
        if (!entry && isWord && pet) pet.quantity = 7n
        return base.answerUpdate(entry, ctx)
      },
    }),
  },
  ...misshapenErrors('updateInventory', 404, 'update-404', {
    type: 'update-404-content-type',
    body: 'update-404-error-body',
  }),
]
