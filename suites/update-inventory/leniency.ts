import {
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

/** Requests whose response the document leaves open. They are recorded and not judged. */
const lenient = scenario(
  'updates that the interface leaves open',
  { pets: 1, extraPets: 1 },
  async ({ store, states }) => {
    const [pet = ''] = await states.pets(1)
    // A store may accept another status or petId, and setting the quantity does not restore those.
    const [expendable] = await states.extraPets(1)
    const attempt = async (
      body: string,
      step: string,
      contentType: string | null = 'application/json',
      on = pet,
    ) => {
      await store.updateInventory(on, '{"quantity":5}', { step: 'to a known stock' })
      const answer = await store.updateInventory(on, body, { step, contentType })
      return { pet: on, answer, list: await store.listInventory({ step: `after ${step}` }) }
    }
    const onExpendable = async (body: string, step: string) =>
      expendable === undefined ? undefined : attempt(body, step, 'application/json', expendable)
    return {
      negative: await attempt('{"quantity":-3}', 'a negative quantity'),
      pointZero: await attempt('{"quantity":7.0}', 'quantity 7.0'),
      exponent: await attempt('{"quantity":7e0}', 'quantity 7e0'),
      furtherMember: await attempt('{"quantity":7,"note":"counted twice"}', 'a further member'),
      ownStatus: await onExpendable('{"quantity":7,"status":"sold"}', 'a status that does not fit'),
      otherPet: await onExpendable('{"quantity":7,"petId":-1}', 'the petId of another pet'),
      noType: await attempt('{"quantity":7}', 'no Content-Type', null),
      otherType: await attempt('{"quantity":7}', 'Content-Type text/plain', 'text/plain'),
      charset: await attempt('{"quantity":7}', 'a charset', 'application/json; charset=utf-8'),
    }
  },
)

interface Attempt {
  readonly pet: string
  readonly answer: Exchange
  readonly list: Exchange
}

function outcomeOf(attempt: Attempt | undefined): string {
  if (!attempt) return 'not tried: this needs an arranged pet'
  const { pet, answer, list } = attempt
  const status = answer.response?.status
  if (status === undefined) return 'no response'
  if (status !== 200) return `refused with ${status}`
  const label = show((find(list, 'petId', pet) && member(find(list, 'petId', pet) ?? {}, 'status')) ?? null)
  return `accepted: the stock is ${quantityIn(list, pet)}, ${label}`
}

const ask = (
  id: string,
  title: string,
  pick: (seen: Awaited<ReturnType<typeof lenient.run>>) => Attempt | undefined,
) =>
  observation({
    id,
    clause: '4.4/body',
    operation: 'updateInventory',
    title,
    given: lenient,
    saw: seen => outcomeOf(pick(seen)),
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
    expect: ({ charset }) => expectStatus(charset.answer, 200),
  }),
]

export const observations = [
  ask('negative-quantity', 'Does updateInventory accept a negative quantity?', seen => seen.negative),
  ask('quantity-point-zero', 'Does updateInventory accept 7.0 as an integer?', seen => seen.pointZero),
  ask('quantity-exponent', 'Does updateInventory accept 7e0 as an integer?', seen => seen.exponent),
  ask('update-further-member', 'Does updateInventory accept a further member?', seen => seen.furtherMember),
  ask('update-own-status', 'Does updateInventory accept a status?', seen => seen.ownStatus),
  ask(
    'update-other-pet-id',
    'Does updateInventory accept the petId of another pet in the body?',
    seen => seen.otherPet,
  ),
  ask(
    'update-without-content-type',
    'Does updateInventory accept a request without Content-Type?',
    seen => seen.noType,
  ),
  ask(
    'update-other-content-type',
    'Does updateInventory accept the Content-Type text/plain?',
    seen => seen.otherType,
  ),
]
