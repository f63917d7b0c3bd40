import {
  CantTell,
  type Exchange,
  expectStatus,
  find,
  member,
  observation,
  quantityIn,
  rule,
  scenario,
  show,
} from '../../support/authoring/index.ts'
import { inRounds, type Round } from './rounds.ts'

const JSON_TYPE = 'application/json'

/** Requests whose response the document leaves open. They are recorded and not judged. */
const OPEN = {
  negative: { body: '{"quantity":-3}', step: 'a negative quantity' },
  pointZero: { body: '{"quantity":7.0}', step: 'quantity 7.0' },
  exponent: { body: '{"quantity":7e0}', step: 'quantity 7e0' },
  furtherMember: { body: '{"quantity":7,"note":"counted twice"}', step: 'a further member' },
  noType: { body: '{"quantity":7}', step: 'no Content-Type', contentType: null },
  otherType: { body: '{"quantity":7}', step: 'Content-Type text/plain', contentType: 'text/plain' },
  charset: { body: '{"quantity":7}', step: 'a charset', contentType: `${JSON_TYPE}; charset=utf-8` },
} as const

/** A store may accept another status or petId, and setting the quantity does not restore those. */
const OPEN_FOR_GOOD = {
  ownStatus: { body: '{"quantity":7,"status":"sold"}', step: 'a status that does not fit' },
  otherPet: { body: '{"quantity":7,"petId":-1}', step: 'the petId of another pet' },
} as const

type Case = keyof typeof OPEN | keyof typeof OPEN_FOR_GOOD
type Attempts = Partial<Record<Case, Round<Exchange>>>

const lenient = scenario(
  'updates that the interface leaves open',
  { pets: 1, extraPets: 1 + Object.keys(OPEN).length + Object.keys(OPEN_FOR_GOOD).length },
  async (acts): Promise<Attempts> => {
    const tryAll = async (cases: Readonly<Record<string, OpenUpdate>>): Promise<Attempts> => {
      const rounds = await inRounds(
        acts,
        Object.values(cases),
        ({ body, step, contentType = JSON_TYPE }, pet) =>
          acts.store.updateInventory(pet, body, { step, contentType }),
        Object.keys(cases).length,
      )
      return Object.fromEntries(Object.keys(cases).map((name, at) => [name, rounds[at]]))
    }
    const [expendable] = await acts.states.extraPets(1)
    const [open, forGood] = await Promise.all([
      tryAll(OPEN),
      expendable === undefined ? {} : tryAll(OPEN_FOR_GOOD),
    ])
    return { ...open, ...forGood }
  },
)

interface OpenUpdate {
  readonly body: string
  readonly step: string
  readonly contentType?: string | null
}

function outcomeOf(attempt: Round<Exchange> | undefined): string {
  if (!attempt) return 'not tried: this needs an arranged pet'
  const { pet, answer, after: list } = attempt
  const status = answer.response?.status
  if (status === undefined) return 'no response'
  if (status >= 500) return `server error ${status}`
  if (status >= 400) return `refused with ${status}`
  if (status !== 200) return `answered ${status}`
  const label = show((find(list, 'petId', pet) && member(find(list, 'petId', pet) ?? {}, 'status')) ?? null)
  return `accepted: the stock is ${quantityIn(list, pet)}, ${label}`
}

const ask = (id: string, title: string, name: Case) =>
  observation({
    id,
    clause: '4.4/body',
    operation: 'updateInventory',
    title,
    given: lenient,
    saw: seen => outcomeOf(seen[name]),
  })

export const rules = [
  rule({
    id: 'update-charset-accepted',
    level: 'advisory',
    because: 'RFC 8259 §11 says that a charset parameter has no effect on JSON, and clients often send one.',
    clause: '4.4/content-type',
    operation: 'updateInventory',
    title: 'updateInventory accepts application/json; charset=utf-8',
    given: lenient,
    after: 'update-from-zero',
    expect({ charset }) {
      if (!charset) throw new CantTell('the scenario ended before this step')
      expectStatus(charset.answer, 200)
    },
  }),
]

export const observations = [
  ask('negative-quantity', 'Does updateInventory accept a negative quantity?', 'negative'),
  ask('quantity-point-zero', 'Does updateInventory accept 7.0 as an integer?', 'pointZero'),
  ask('quantity-exponent', 'Does updateInventory accept 7e0 as an integer?', 'exponent'),
  ask('update-further-member', 'Does updateInventory accept a further member?', 'furtherMember'),
  ask('update-own-status', 'Does updateInventory accept a status?', 'ownStatus'),
  ask('update-other-pet-id', 'Does updateInventory accept the petId of another pet in the body?', 'otherPet'),
  ask('update-without-content-type', 'Does updateInventory accept a request without Content-Type?', 'noType'),
  ask('update-other-content-type', 'Does updateInventory accept the Content-Type text/plain?', 'otherType'),
]
