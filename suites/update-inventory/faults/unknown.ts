import {
  addEntry,
  type Context,
  emptyAnswer,
  type Fault,
  type Override,
  stockKey,
} from '../../../support/reference/index.ts'
import { misshapenErrors } from '../../every-exchange/misshapen-errors.ts'

const create = ({ domain, segment = '0' }: Context) => {
  const known = domain.stock.get(stockKey(segment))
  return known ?? addEntry(domain, { petId: segment, quantity: 7n })
}

const unknown =
  (status: number): Override =>
  base => ({
    answerUpdate: (entry, ctx) => (entry ? base.answerUpdate(entry, ctx) : emptyAnswer(status)),
  })

/** Pets that do not exist. */
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
    title: 'A pet that does not exist is answered 404, and created',
    breaks: ['update-unknown-creates-nothing'],
    override: base => ({
      answerUpdate: (entry, ctx) => {
        if (!entry && ctx.segment) create(ctx)
        return base.answerUpdate(entry, ctx)
      },
    }),
  },
  ...misshapenErrors('updateInventory', 404, 'update-404', {
    type: 'update-404-content-type',
    body: 'update-404-error-body',
  }),
]
