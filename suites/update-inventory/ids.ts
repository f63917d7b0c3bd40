import {
  answered,
  canonical,
  control,
  type Exchange,
  expectReadable,
  expectSameStock,
  lastOf,
  NotApplicable,
  rule,
  type StoreActs,
  scenario,
  sendUntilComplete,
  toInteger,
  Violation,
} from '../../support/authoring/index.ts'
import { expectNoneAccepted, similarIntegers, unknownRules } from '../ids.ts'

/** Paths that are not a number, but could be mistaken for this pet. Other spellings of a number are not shown (§4.4). */
const namelessPaths = (pet: string): readonly string[] => [
  `${pet}abc`,
  `abc${pet}`,
  // As a condition of SQL, it selects this pet alone: `or 1` would change all.
  `${pet}%20or%200`,
  `${pet},${pet}`,
  'abc',
  'null',
]

/** Numbers that equal the petId only in part, and that no pet has. The format of petId is not shown (§2), so it need not be an integer. */
function similarIds(pet: string, states: StoreActs['states']): readonly string[] {
  const id = toInteger(canonical(pet))
  if (id === undefined) return []
  const integers = similarIntegers(id).filter(states.ids.pet.isFar).map(String)
  return [...integers, `${id}.7`].filter(states.ids.pet.isUnused)
}

export const misnamed = scenario(
  'update pets with ids that could be mistaken for theirs',
  { pets: 1, extraPets: 1 },
  async ({ store, states }) => {
    const [pet = ''] = await states.pets(1)
    const [lookalike = pet] = await states.extraPets(1)
    const sendAll = (paths: readonly string[], step: string) =>
      Promise.all(paths.map(path => store.updateInventory(path, { quantity: '7' }, { step })))
    const known = await store.updateInventory(pet, { quantity: '6' }, { step: 'the pet itself' })
    const before = await store.listInventory({ step: 'before' })
    const nameless = await sendAll(
      namelessPaths(pet).filter(states.ids.pet.allows),
      'a path that is not a number',
    )
    const between = await store.listInventory({ step: 'in between' })
    const tried = await Promise.all(
      similarIds(lookalike, states).map(id =>
        sendUntilComplete(store, client =>
          client.updateInventory(id, { quantity: '7' }, { step: 'an id that equals another one in part' }),
        ),
      ),
    )
    const after = await store.listInventory({ step: 'after' })
    return {
      known,
      nameless: { pet, answers: nameless, before, after: between },
      tried,
      similar: { pet: lookalike, answers: tried.map(lastOf), before: between, after },
    }
  },
)

interface Misnamed {
  readonly pet: string
  readonly answers: readonly Exchange[]
  readonly before: Exchange
  readonly after: Exchange
}

/** @throws {Violation} if one of the updates was accepted, or the stock of the pet changed */
function expectNothingChanged(known: Exchange, { pet, answers, before, after }: Misnamed) {
  control(known, 200, 'the update of a pet that exists')
  expectNoneAccepted(answers, 'a refusal')
  expectSameStock(pet, before, after, ...answers, after)
}

const given = { operation: 'updateInventory', given: misnamed, level: 'implied' } as const

export const rules = [
  rule({
    ...given,
    id: 'update-nameless-path-changes-nothing',
    because:
      '§4.4 identifies a pet by its petId, which is a number (§2), so a path that is not a number identifies no pet.',
    clause: '4.4/pet-id',
    title: 'updateInventory with a petId that is not a number changes no stock',
    after: ['update-unknown-404', 'update-replaces', 'update-listed', 'update-other-pets-untouched'],
    expect({ known, nameless }) {
      if (nameless.answers.length === 0) {
        expectReadable(nameless.before)
        throw new NotApplicable(
          'each of these paths could be read as a pet whose stock the run may not change',
        )
      }
      expectNothingChanged(known, nameless)
    },
    usually: 'The parser reads the leading digits and ignores the rest, as parseInt does.',
  }),
  rule({
    ...given,
    id: 'update-similar-id-changes-nothing',
    because:
      '§4.4 answers 404 for a pet that does not exist. Which numbers are a petId is not shown, so another refusal than 404 is open.',
    clause: '4.4/404',
    title:
      'updateInventory with a petId that equals an existing one only in part is refused with a 4xx, and changes no stock',
    after: [
      'update-unknown-404',
      'update-replaces',
      'update-listed',
      'update-other-pets-untouched',
      'update-nameless-path-changes-nothing',
    ],
    expect({ known, tried, similar }) {
      if (similar.answers.length === 0) {
        expectReadable(similar.before)
        throw new NotApplicable('each of these ids could be mistaken for a pet that is not the run’s own')
      }
      expectNothingChanged(known, similar)
      for (const answers of tried) {
        const answer = lastOf(answers)
        const { status } = answered(answer)
        if (status < 400 || status >= 500)
          throw new Violation('404, or another refusal', String(status), answer)
      }
    },
    usually:
      'The petId is truncated to a smaller type, its sign is lost, only some of its digits are compared, or a petId beyond 32 bits is answered 500.',
  }),
  ...unknownRules('updateInventory', {
    title: 'Updating a pet that does not exist answers 404',
    usually: 'The update is an upsert, which creates the pet.',
    edges: [],
    // The format of petId is not shown (§2), so only 32-bit integers are sent.
    arbitrary: fc => fc.bigInt({ min: 1_000_000n, max: 2n ** 31n - 1n }),
  }),
]
