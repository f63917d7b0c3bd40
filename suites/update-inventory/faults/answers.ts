import {
  answersChanged,
  bodyText,
  type Context,
  type Entry,
  emptyAnswer,
  entriesChanged,
  type Fault,
  jsonAnswer,
  type Members,
  type Override,
  withBody,
  withHeader,
  withStatus,
} from '../../../support/reference/authoring.ts'

const updated = { operation: 'updateInventory', status: 200 } as const

const answered = (change: (members: Members, entry: Entry, ctx: Context) => Members): Override =>
  entriesChanged((members, entry, ctx) =>
    ctx.operation === 'updateInventory' ? change(members, entry, ctx) : members,
  )

const rewritten = (change: (json: string) => string): Override =>
  answersChanged(updated, answer => withBody(answer, change(bodyText(answer))))

const others = (entry: Entry, { domain }: Context): readonly Entry[] =>
  [...domain.stock.values()].filter(each => each !== entry)

/** Wrong responses to updates. */
export const faults: readonly Fault[] = [
  ...[201, 202].map(
    (status): Fault => ({
      id: `update-${status}`,
      title: `An update answers ${status}`,
      breaks: ['update-200'],
      override: answersChanged(updated, answer => withStatus(answer, status)),
    }),
  ),
  {
    id: 'update-204',
    title: 'An update answers 204, without the entry',
    breaks: ['update-200'],
    override: answersChanged(updated, () => emptyAnswer(204)),
  },
  {
    id: 'update-404',
    title: 'Every update is answered 404',
    breaks: ['update-200'],
    override: base => ({ findEntry: () => undefined, readPetId: base.readPetId }),
  },
  ...(
    [
      ['text', 'text/plain'],
      ['patch-json', 'application/merge-patch+json'],
      ['untyped', undefined],
    ] as const
  ).map(
    ([id, type]): Fault => ({
      id: `updated-entry-${id}`,
      title: `The updated entry has ${type === undefined ? 'no Content-Type' : `the Content-Type ${type}`}`,
      breaks: ['update-content-type'],
      override: answersChanged(updated, answer => withHeader(answer, 'Content-Type', type)),
    }),
  ),
  ...(
    [
      ['wrapped', 'in an array', json => `[${json}]`],
      ['null', 'as null', () => 'null'],
      ['empty', 'without a body', () => ''],
      ['broken', 'with a trailing comma', json => json.replace(/\}$/, ',}')],
      ['encoded-twice', 'as a string', json => JSON.stringify(json)],
    ] satisfies readonly [string, string, (json: string) => string][]
  ).map(
    ([id, what, change]): Fault => ({
      id: `updated-entry-${id}`,
      title: `The updated entry is sent ${what}`,
      breaks: ['update-entry'],
      override: rewritten(change),
    }),
  ),
  {
    id: 'updated-entry-in-data',
    title: 'The updated entry is wrapped in an object',
    breaks: ['update-entry-status', 'update-entry-whole'],
    override: rewritten(json => `{"data":${json}}`),
  },
  {
    id: 'updated-entry-without-status',
    title: 'The updated entry has no status',
    breaks: ['update-entry-status'],
    override: answered(members => ({ ...members, status: undefined })),
  },
  {
    id: 'updated-entry-status-null',
    title: 'The updated entry has null as status',
    breaks: ['update-entry-status'],
    override: answered(members => ({ ...members, status: 'null' })),
  },
  {
    id: 'updated-entry-without-pet-id',
    title: 'The updated entry has no petId',
    breaks: ['update-entry-whole'],
    override: answered(members => ({ ...members, petId: undefined })),
  },
  {
    id: 'updated-entry-without-quantity',
    title: 'The updated entry has no quantity',
    breaks: ['update-entry-whole'],
    override: answered(members => ({ ...members, quantity: undefined })),
  },
  {
    id: 'updated-entry-without-quantity-at-0',
    title: 'The updated entry has no quantity if the quantity is 0',
    breaks: ['update-entry-whole'],
    override: answered((members, { quantity }) =>
      quantity === 0n ? { ...members, quantity: undefined } : members,
    ),
  },
  {
    id: 'updated-entry-null-at-0',
    title: 'An update to quantity 0 is answered with null',
    breaks: ['update-entry'],
    override: base => ({
      answerUpdate: (entry, ctx) =>
        entry?.quantity === 0n ? jsonAnswer(200, 'null', ctx) : base.answerUpdate(entry, ctx),
    }),
  },
  {
    id: 'updated-entry-pet-id-string',
    title: 'The updated entry has a string as petId',
    breaks: ['update-entry-of-that-pet'],
    override: answered(members => ({ ...members, petId: `"${members.petId}"` })),
  },
  {
    id: 'updated-entry-of-another-pet',
    title: 'The updated entry has the petId of another pet',
    breaks: ['update-entry-of-that-pet'],
    override: answered((members, entry, ctx) => ({ ...members, petId: others(entry, ctx)[0]?.petId })),
  },
  {
    id: 'updated-quantity-string',
    title: 'The updated entry has a string as quantity',
    breaks: ['update-replaces'],
    override: answered(members => ({ ...members, quantity: `"${members.quantity}"` })),
  },
  {
    id: 'updated-entry-as-before',
    title: 'The response shows the quantity from before the update',
    breaks: ['update-replaces'],
    override: base => {
      const before = new WeakMap<Entry, bigint>()
      return {
        applyQuantity: (entry, quantity, ctx) => {
          before.set(entry, entry.quantity)
          return base.applyQuantity(entry, quantity, ctx)
        },
        entryMembers: (entry, ctx) => ({
          ...base.entryMembers(entry, ctx),
          ...(ctx.operation === 'updateInventory'
            ? { quantity: `${before.get(entry) ?? entry.quantity}` }
            : {}),
        }),
      }
    },
  },
]
