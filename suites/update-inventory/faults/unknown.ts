import {
  addEntry,
  breaking,
  type Context,
  emptyAnswer,
  type Fault,
  type Override,
  stockKey,
} from '../../../support/reference/authoring.ts'
import { misshapen404 } from '../../every-exchange/faults/misshapen.ts'

const create = ({ domain, segment = '0' }: Context) =>
  domain.stock.get(stockKey(segment)) ?? addEntry(domain, { petId: segment, quantity: 7n })

/** Whether the path is not a petId. */
const isWord = (ctx: Context): boolean => ctx.decide.readPetId(ctx.segment ?? '', ctx) === undefined

const unknownAnswered =
  (status: number, isMet: (ctx: Context) => boolean = () => true): Override =>
  base => ({
    answerUpdate: (entry, ctx) =>
      !entry && isMet(ctx) ? emptyAnswer(status) : base.answerUpdate(entry, ctx),
  })

/** Answers an unknown pet as it should be, and does something else as well. */
const alsoDoing =
  (act: (ctx: Context) => void): Override =>
  base => ({
    answerUpdate: (entry, ctx) => {
      if (!entry && ctx.segment) act(ctx)
      return base.answerUpdate(entry, ctx)
    },
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

/** Pets that do not exist, and paths that are not a petId. */
export const faults: readonly Fault[] = [
  ...breaking('update-unknown-404', {
    'unknown-pet-204': ['A pet that does not exist is answered 204', unknownAnswered(204)],
    'unknown-pet-created': [
      'A pet that does not exist is created',
      base => ({ findEntry: (petId, ctx) => base.findEntry(petId, ctx) ?? create(ctx) }),
    ],
  }),
  ...breaking('update-unknown-creates-nothing', {
    'unknown-pet-404-and-created': [
      'A pet that does not exist is answered 404 but created',
      alsoDoing(create),
    ],
  }),
  ...breaking('update-similar-id-changes-nothing', {
    'pet-path-sign-lost': ['The sign of the petId is ignored', finding((id, pet) => -id === pet)],
    'pet-path-in-32-bits': [
      'The petId is truncated to 32 bits',
      finding((id, pet) => id > 2n ** 31n && BigInt.asIntN(32, id) === pet),
    ],
    'pet-path-modulo-10-6': [
      'Pets are found by the last six digits of the petId',
      finding((id, pet) => id > 10n ** 9n && id % 10n ** 6n === pet),
    ],
    'pet-path-leading-digits': [
      'Pets are found by the leading digits of the petId',
      finding((id, pet) => id / 1000n === pet),
    ],
  }),
  ...breaking('update-nameless-path-changes-nothing', {
    'pet-path-from-the-first-digit': [
      'The petId is read from its first digit on',
      base => ({ readPetId: (text, ctx) => base.readPetId(text.replace(/^[^-\d]+/, ''), ctx) }),
    ],
    'pet-path-word-200': ['A petId that is not a number is answered 200', unknownAnswered(200, isWord)],
    'pet-path-refused-and-read': [
      'A petId that contains a number is answered 404 but changes the stock of that pet',
      alsoDoing(ctx => {
        const pet = ctx.domain.stock.get(stockKey(/\d+/.exec(ctx.segment ?? '')?.[0] ?? '0'))
        if (isWord(ctx) && pet) pet.quantity = 7n
      }),
    ],
  }),
  ...misshapen404('updateInventory', 'update-404', at => at === 0),
]
