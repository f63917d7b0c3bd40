import {
  control,
  type Exchange,
  isSuccess,
  NotApplicable,
  quantityIn,
  rule,
  scenario,
  Violation,
} from '../../support/authoring/index.ts'

/** Paths that are no number, but could be mistaken for this pet. Other spellings of a number are not shown (§4.4). */
const namelessPaths = (pet: string): readonly string[] => [
  `${pet}abc`,
  `abc${pet}`,
  `${pet}%20or%201`,
  `${pet},${pet}`,
  'abc',
  'null',
]

const misnamed = scenario(
  'a pet, and paths that could be mistaken for its id',
  { pets: 1 },
  async ({ store, states }) => {
    const [pet = ''] = await states.pets(1)
    const known = await store.updateInventory(pet, { quantity: '6' }, { step: 'the pet itself' })
    const before = await store.listInventory({ step: 'before' })
    const nameless: Exchange[] = []
    for (const path of namelessPaths(pet).filter(states.mayUpdate)) {
      nameless.push(
        await store.updateInventory(path, { quantity: '7' }, { step: 'a path that is no number' }),
      )
    }
    return { pet, known, before, nameless, after: await store.listInventory({ step: 'after' }) }
  },
)

export const rules = [
  rule({
    id: 'update-nameless-path-changes-nothing',
    level: 'implied',
    because:
      '§4.4 identifies a pet by its petId, which is a number (§2), so a path that is no number identifies no pet.',
    clause: '4.4/pet-id',
    operation: 'updateInventory',
    title: 'updateInventory with a petId that is no number changes no stock',
    given: misnamed,
    after: ['update-unknown-404', 'update-replaces', 'update-listed', 'update-other-pets-untouched'],
    expect({ pet, known, before, nameless, after }) {
      if (nameless.length === 0)
        throw new NotApplicable(
          'each of these paths could be read as a pet whose stock the run may not change',
        )
      control(known, 200, 'the pet itself')
      const accepted = nameless.find(isSuccess)
      if (accepted) throw new Violation('a refusal', String(accepted.response?.status), accepted)
      const [was, is] = [quantityIn(before, pet), quantityIn(after, pet)]
      if (was !== is)
        throw new Violation(`quantity ${was} of pet ${pet}, as before`, String(is), ...nameless, after)
    },
    usually: 'The parser reads the leading digits and ignores the rest, as parseInt does.',
  }),
]
