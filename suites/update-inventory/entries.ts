import {
  canonical,
  expectJsonType,
  expectStatus,
  member,
  numberOf,
  rule,
  show,
  Violation,
} from '../../support/authoring/index.ts'
import { answered200, entryIn, FIRST, given, notShown, stepAt } from './scenarios.ts'

export const rules = [
  rule({
    ...given,
    id: 'update-200',
    level: 'required',
    clause: '4.4/200',
    title: 'updateInventory answers 200',
    after: 'auth-valid-key-update-inventory',
    expect: seen => expectStatus(stepAt(seen, FIRST).answer, 200),
    usually: 'The update is answered 204 or 202, or a named pet does not exist.',
  }),
  rule({
    ...given,
    id: 'update-content-type',
    level: 'required',
    clause: '1/json',
    title: 'The 200 response of updateInventory is application/json',
    after: 'update-200',
    expect: seen => expectJsonType(stepAt(seen, FIRST).answer),
  }),
  rule({
    ...given,
    id: 'update-entry',
    level: 'required',
    clause: '4.4/200',
    title: 'updateInventory returns an inventory entry: one JSON object',
    after: 'update-200',
    expect: seen => void answered200(seen).map(entryIn),
    usually: 'The response is the whole list, a wrapper or empty.',
  }),
  rule({
    ...given,
    id: 'update-entry-status',
    level: 'required',
    clause: '2/entry-status',
    title: 'The entry that updateInventory returns has a status that is a string',
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
    because:
      '§2 lists petId and quantity for every entry, but states only that status is present in every entry.',
    clause: '2/entry',
    title: 'The entry that updateInventory returns has petId and quantity, for every quantity',
    after: 'update-entry',
    expect(seen) {
      for (const answer of answered200(seen))
        for (const name of ['petId', 'quantity'])
          if (member(entryIn(answer), name) === undefined)
            throw new Violation(`${name} in the entry`, 'none', answer)
    },
    usually: 'The serialiser omits a quantity of 0 (omitempty).',
  }),
  rule({
    ...given,
    id: 'update-entry-of-that-pet',
    level: 'required',
    clause: '4.4/200',
    title: 'The entry that updateInventory returns has the petId of the path',
    after: 'update-entry',
    expect(seen) {
      for (const answer of answered200(seen)) {
        const shown = member(entryIn(answer), 'petId')
        if (shown === undefined) throw notShown('petId')
        if (numberOf(entryIn(answer), 'petId') !== canonical(seen.pet))
          throw new Violation(`petId ${seen.pet}`, show(shown), answer)
      }
    },
    usually: 'Simultaneous requests share a variable, and one gets the response to another.',
  }),
]
