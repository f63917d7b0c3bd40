import {
  type Answer,
  answersChanged,
  bodyText,
  breaking,
  type Context,
  decidedFirst,
  type Entry,
  emptyAnswer,
  type Fault,
  jsonAnswer,
  type Members,
  type Override,
  only,
  resultChanged,
  withBody,
  withHeader,
} from '../../../support/reference/authoring.ts'

/** Changes the responses to accepted updates. */
const answered = (change: (answer: Answer) => Answer): Override =>
  answersChanged({ operation: 'updateInventory', status: 200 }, change)

/** Changes the entry in the response, and not in the list. */
const entryWith = (change: (entry: Entry, ctx: Context) => Members): Override =>
  only(
    'updateInventory',
    resultChanged('entryMembers', (members, entry, ctx) => ({ ...members, ...change(entry, ctx) })),
  )

/** Wrong responses to updates. */
export const faults: readonly Fault[] = [
  ...breaking('update-200', {
    'update-204': ['An update answers 204, without the entry', answered(() => emptyAnswer(204))],
  }),
  ...breaking('update-content-type', {
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
    'updated-entry-null-at-0': [
      'An update to quantity 0 is answered with null',
      decidedFirst('answerUpdate', entry => (entry?.quantity === 0n ? jsonAnswer(200, 'null') : undefined)),
    ],
  }),
  ...breaking('update-entry-status', {
    'updated-entry-without-status': [
      'The updated entry has no status',
      entryWith(() => ({ status: undefined })),
    ],
  }),
  ...breaking('update-entry-quantity', {
    'updated-entry-without-quantity-at-0': [
      'The updated entry has no quantity if the quantity is 0',
      entryWith(({ quantity }) => (quantity === 0n ? { quantity: undefined } : {})),
    ],
  }),
  ...breaking('update-entry-of-that-pet', {
    'updated-entry-of-another-pet': [
      'The updated entry has the petId of another pet',
      entryWith((entry, { domain }) => ({
        petId: [...domain.stock.values()].find(each => each !== entry)?.petId,
      })),
    ],
  }),
  ...breaking('update-entry-quantity', {
    'updated-quantity-string': [
      'The updated entry has a string as quantity',
      entryWith(({ quantity }) => ({ quantity: `"${quantity}"` })),
    ],
  }),
]
