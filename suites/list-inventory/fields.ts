import {
  type Exchange,
  entries,
  expectEach,
  expectUnique,
  furtherMembers,
  hasType,
  isPresent,
  type JsonObject,
  member,
  numberOf,
  observation,
  rule,
  scenario,
  show,
} from '../../support/authoring/index.ts'
import { inventorySchema } from '../../support/interface/schemas.ts'
import { listing } from '../lists.ts'

const { rules: listRules, listed, everyList } = listing('listInventory')
const { fields } = inventorySchema
const given = { operation: 'listInventory', given: everyList, after: 'list-inventory-objects' } as const

const FIELDS = [
  { name: 'status', slug: 'status', type: 'a string', types: 'strings', clause: '2/entry-status' },
  { name: 'petId', slug: 'pet-id', type: 'a JSON number', types: 'numbers', clause: '2/entry-pet-id' },
  { name: 'quantity', slug: 'quantity', type: 'an integer', types: 'integers', clause: '2/entry-quantity' },
] as const

/** The two cases of the mapping in §2. */
const LEVELS = [
  { id: 'inventory-sold-at-zero', quantity: 0, level: '0', status: 'sold' },
  { id: 'inventory-available-above-zero', quantity: 5, level: 'above 0', status: 'available' },
] as const

type Level = (typeof LEVELS)[number]['level']

function levelOf(entry: JsonObject): Level | undefined {
  const quantity = numberOf(entry, 'quantity')
  if (quantity === undefined || quantity.startsWith('-')) return undefined
  return quantity === '0' ? '0' : 'above 0'
}

function has(list: Exchange, level: Level): boolean {
  if (list.response?.status !== 200) return true
  for (const { entry } of entries(list)) if (levelOf(entry) === level) return true
  return false
}

/** If no pet of this quantity is listed, one is arranged, or the stock of a named pet is set. */
const listedWith = (quantity: number, level: Level) =>
  scenario(`list the inventory with a pet of quantity ${level}`, { pets: 1 }, async ({ store, states }) => {
    const list = await store.listInventory()
    if (has(list, level)) return { list }
    const [pet = ''] = await states.pets(1, quantity)
    const arranged = await store.listInventory({ step: `with pet ${pet} arranged` })
    if (has(arranged, level)) return { list: arranged }
    const step = `set a pet to quantity ${quantity}`
    await store.updateInventory(pet, { quantity: String(quantity) }, { step })
    return { list: await store.listInventory({ step: `with pet ${pet} at ${quantity}` }) }
  })

export const rules = [
  ...listRules,
  ...FIELDS.flatMap(({ name, slug, type, types, clause }) => [
    rule({
      ...given,
      id: `inventory-${slug}-present`,
      ...(name === 'status'
        ? { level: 'required', clause }
        : {
            level: 'implied',
            because: '§2 shows the field for an entry, but states only of status that it is in every entry.',
            clause: '2/entry',
          }),
      title: `Every inventory entry has a ${name}`,
      expect: ({ lists }) => expectEach(lists, isPresent(name)),
    }),
    rule({
      ...given,
      id: `inventory-${slug}-${type.split(' ').at(-1)}`,
      level: 'required',
      clause,
      title: `${name} of an inventory entry, where present, is ${type}`,
      expect: ({ lists }) => expectEach(lists, hasType(name, fields[name], types)),
    }),
  ]),
  rule({
    ...given,
    id: 'inventory-pet-id-unique',
    level: 'implied',
    because:
      '§2: an entry belongs to a pet. §4.4 updates the entry of a pet, so there is one entry for each pet.',
    clause: '2/entry-pet-id',
    title: 'Each pet has one inventory entry',
    after: 'inventory-pet-id-number',
    expect: ({ lists }) => expectUnique(lists, 'petId'),
  }),
  ...LEVELS.map(({ id, quantity, level, status }) =>
    rule({
      id,
      operation: 'listInventory',
      level: 'implied',
      because:
        '§2 reports the mapping as an observation, not as a rule. A client that shows stock relies on it.',
      clause: '2/status-mapping',
      title: `A pet with ${level === '0' ? 'quantity 0' : 'a quantity above 0'} has status ${status} in the inventory`,
      given: listedWith(quantity, level),
      after: [
        'inventory-status-present',
        'inventory-status-string',
        'inventory-quantity-present',
        'inventory-quantity-integer',
      ],
      expect: ({ list }) =>
        expectEach(list, {
          name: `status "${status}" at quantity ${level}`,
          problem(entry) {
            const shown = member(entry, 'status')
            if (levelOf(entry) !== level || shown === status) return undefined
            return `.status is ${show(shown ?? null)} at quantity ${numberOf(entry, 'quantity')}`
          },
        }),
      usually: 'status is stored in a column of its own and not updated together with quantity.',
    }),
  ),
]

const asked = { operation: 'listInventory', given: listed } as const

export const observations = [
  observation({
    ...asked,
    id: 'inventory-status-values',
    clause: '2/status-values',
    title: 'Which values does status have in the inventory?',
    saw({ list }) {
      const values = new Set<string>()
      for (const { entry } of entries(list)) values.add(show(member(entry, 'status') ?? null))
      return [...values].sort().slice(0, 20).join(', ') || 'none: the inventory is empty'
    },
  }),
  observation({
    ...asked,
    id: 'inventory-members-extra',
    clause: '2/entry',
    title: 'Which further fields do inventory entries have?',
    saw: ({ list }) => furtherMembers(list, fields),
  }),
  observation({
    ...asked,
    id: 'inventory-pet-id-format',
    clause: '2/entry-pet-id',
    title: 'In which number format is petId written?',
    saw({ list }) {
      let all = 0
      let plain = 0
      for (const { entry } of entries(list)) {
        const id = member(entry, 'petId')
        if (id === undefined) continue
        all += 1
        if (/^-?[0-9]+$/.test(String(id))) plain += 1
      }
      return all === 0 ? 'none: the inventory is empty' : `${plain} of ${all} as plain integers`
    },
  }),
]
