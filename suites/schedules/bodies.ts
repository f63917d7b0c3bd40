import type { Schedule, Written } from '../acts.ts'
import { quantityOf, update } from '../asks.ts'
import type { Ask } from '../oracle/log.ts'
import { type BodyRow, bodyRows } from '../update-inventory/bodies.ts'

/** Pets whose updates are sent before the inventory shows the stock of all of them. */
const PETS = 20

/** Bodies and quantities of updates. Each is the only change of its pet between two lists. */
export const bodies: Schedule = {
  name: 'bodies',
  title: 'bodies and quantities of updates',
  requests: [125, 179, 0],
  context: 'plain',
  async run(acts) {
    const { pets, canArrange } = acts.fixtures
    const own = canArrange ? pets.slice(8, 8 + PETS) : pets.slice(0, 2)
    const [first] = own
    if (first === undefined) return
    const rows = bodyRows(acts.bigRandom)
    await acts.all(own.map(pet => [update('pet', pet, '5'), { body: quantityOf('5') }]))
    await acts.look()
    for (let at = 0; at < rows.length; at += own.length) {
      await acts.all(rows.slice(at, at + own.length).map((row, nth) => askOf(row, own[nth] ?? first)))
      await acts.look()
    }
  },
}

const askOf = (
  { row, kind, what, body, quantity, advised, declined, written }: BodyRow,
  pet: string,
): readonly [Ask, Written] => [
  {
    ...update('pet', pet, ''),
    row,
    body: { kind, quantity },
    advised,
    declined,
    title: `an update of a pet with ${what}`,
  },
  { ...written, body },
]
