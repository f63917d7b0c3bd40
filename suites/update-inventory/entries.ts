import {
  canonical,
  type Exchange,
  expectJsonType,
  expectStatus,
  member,
  numberOf,
  rule,
  show,
  Violation,
} from '../../support/authoring/index.ts'
import { answered200, entryIn, FIRST, given, notShown, stepAt } from './replaced.ts'

export const rules = [
  rule({
    ...given,
    id: 'update-200',
    level: 'required',
    clause: '4.4/200',
    title: 'An update of the stock answers 200',
    after: 'auth-valid-key-update-inventory',
    expect: seen => expectStatus(stepAt(seen, FIRST).answer, 200),
    usually: 'A PATCH that answers 204 or 202; or a pet that was named does not exist.',
  }),
  rule({
    ...given,
    id: 'update-content-type',
    level: 'required',
    clause: '1/json',
    title: 'The updated entry is application/json',
    after: 'update-200',
    expect: seen => expectJsonType(stepAt(seen, FIRST).answer),
  }),
  rule({
    ...given,
    id: 'update-entry',
    level: 'required',
    clause: '4.4/200',
    title: 'An update answers with an inventory entry: one JSON object',
    after: 'update-200',
    expect: seen => void answered200(seen).map(entryIn),
    usually: 'The whole list, a wrapper, or nothing is sent back.',
  }),
  rule({
    ...given,
    id: 'update-entry-status',
    level: 'required',
    clause: '2/entry-status',
    title: 'The updated entry has a status, which is a string',
    after: 'update-entry',
    expect(seen) {
      const { answer } = stepAt(seen, FIRST)
      const status = member(entryIn(answer), 'status')
      if (typeof status !== 'string')
        throw new Violation('a string as status', status === undefined ? 'none' : show(status), answer)
    },
  }),
  rule({
    ...given,
    id: 'update-entry-whole',
    level: 'implied',
    because: '§2 lists petId and quantity for every entry; only status is said to be always there.',
    clause: '2/entry',
    title: 'The updated entry has a petId and a quantity, whatever the quantity is',
    after: 'update-entry',
    expect(seen) {
      for (const answer of answered200(seen))
        for (const name of ['petId', 'quantity'])
          if (member(entryIn(answer), name) === undefined) throw new Violation(name, `none`, answer)
    },
    usually: 'The serialiser leaves out what is 0 (omitempty).',
  }),
  rule({
    ...given,
    id: 'update-entry-of-that-pet',
    level: 'required',
    clause: '4.4/200',
    title: 'The updated entry is that of the pet in the path',
    after: 'update-entry',
    expect(seen) {
      const { answer } = stepAt(seen, FIRST)
      const id = numberOf(entryIn(answer), 'petId')
      if (member(entryIn(answer), 'petId') === undefined) throw notShown('petId')
      if (id === undefined)
        throw new Violation(`petId ${seen.pet}`, show(member(entryIn(answer), 'petId') ?? null), answer)
      expectSame(id, seen.pet, answer)
    },
  }),
]

function expectSame(id: string, pet: string, exchange: Exchange): void {
  if (canonical(id) !== canonical(pet)) throw new Violation(`petId ${pet}`, id, exchange)
}
