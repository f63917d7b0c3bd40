import {
  type Answer,
  answersChanged,
  bodyText,
  breaking,
  type Context,
  type Entry,
  emptyAnswer,
  type Fault,
  jsonAnswer,
  type Members,
  type Override,
  only,
  withBody,
  withHeader,
} from '../../../support/reference/authoring.ts'

/** Changes the responses to accepted updates. */
const answered = (change: (answer: Answer) => Answer): Override =>
  answersChanged({ operation: 'updateInventory', status: 200 }, change)

/** Changes the entry in the response, and not in the list. */
const entryWith = (change: (entry: Entry, ctx: Context) => Members): Override =>
  only('updateInventory', 'entryMembers', base => (entry, ctx) => ({
    ...base.entryMembers(entry, ctx),
    ...change(entry, ctx),
  }))

const ofAnotherPet = (entry: Entry, { domain }: Context): Members => ({
  petId: [...domain.stock.values()].find(each => each !== entry)?.petId,
})

/** Wrong responses to updates. */
export const faults: readonly Fault[] = [
  ...breaking('update-200', {
    'update-204': ['An update answers 204, without the entry', answered(() => emptyAnswer(204))],
    'update-404': ['Every update is answered 404', () => ({ findEntry: () => undefined })],
  }),
  ...breaking('update-content-type', {
    'updated-entry-text': [
      'The updated entry has the Content-Type text/plain',
      answered(answer => withHeader(answer, 'Content-Type', 'text/plain')),
    ],
    'updated-entry-untyped': [
      'The updated entry has no Content-Type',
      answered(answer => withHeader(answer, 'Content-Type')),
    ],
  }),
  ...breaking('update-entry', {
    'updated-entry-wrapped': [
      'The updated entry is sent in an array',
      answered(answer => withBody(answer, `[${bodyText(answer)}]`)),
    ],
    'updated-entry-empty': ['The updated entry is not sent', answered(answer => withBody(answer, ''))],
    'updated-entry-null-at-0': [
      'An update to quantity 0 is answered with null',
      base => ({
        answerUpdate: (entry, ctx) =>
          entry?.quantity === 0n ? jsonAnswer(200, 'null', ctx) : base.answerUpdate(entry, ctx),
      }),
    ],
  }),
  ...breaking('update-entry-status', {
    'updated-entry-without-status': [
      'The updated entry has no status',
      entryWith(() => ({ status: undefined })),
    ],
  }),
  ...breaking('update-entry-whole', {
    'updated-entry-without-pet-id': [
      'The updated entry has no petId',
      entryWith(() => ({ petId: undefined })),
    ],
    'updated-entry-without-quantity-at-0': [
      'The updated entry has no quantity if the quantity is 0',
      entryWith(({ quantity }) => (quantity === 0n ? { quantity: undefined } : {})),
    ],
  }),
  ...breaking('update-entry-of-that-pet', {
    'updated-entry-of-another-pet': [
      'The updated entry has the petId of another pet',
      entryWith(ofAnotherPet),
    ],
  }),
  ...breaking('update-replaces', {
    'updated-quantity-string': [
      'The updated entry has a string as quantity',
      entryWith(({ quantity }) => ({ quantity: `"${quantity}"` })),
    ],
    'updated-entry-as-before': [
      'The response shows the quantity from before the update',
      base => {
        const before = new WeakMap<Entry, bigint>()
        return {
          ...entryWith(entry => ({ quantity: `${before.get(entry) ?? entry.quantity}` }))(base),
          applyQuantity: (entry, quantity, ctx) => {
            before.set(entry, entry.quantity)
            return base.applyQuantity(entry, quantity, ctx)
          },
        }
      },
    ],
  }),
]
