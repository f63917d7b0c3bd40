import type { Acts, Schedule } from '../acts.ts'
import { cancel, listInventory, listOrders } from '../asks.ts'
import { basics } from '../contexts/basics.ts'
import { shuffled } from '../contexts/pairs.ts'

/** Orders of the run that are cancelled again, the first and the last. */
const AGAIN = 6
/** Lists that are requested within a moment. */
const LISTS = 12

/** Everything once more at the end, when the lists are long, many at once, and what the run has left. */
export const end: Schedule = {
  name: 'end',
  title: 'everything once more',
  requests: [34, 27, 18],
  context: 'end',
  async run(acts) {
    await clumps(acts)
    const { fixtures } = acts
    const { cancelled } = fixtures
    for (const id of new Set([...cancelled.slice(0, AGAIN / 2), ...cancelled.slice(-AGAIN / 2)]))
      await acts.send(cancel('cancelled order', id))
    // It shows whether a request that was refused has cancelled it.
    if (fixtures.kept !== undefined) await acts.send(cancel('pending order', fixtures.kept))
    await acts.look()
  },
}

/** Many lists, changes and refused requests within a moment, each answered as if alone. */
async function clumps(acts: Acts): Promise<void> {
  const { fixtures } = acts
  const possible = fixtures.canArrange ? basics : basics.filter(({ name }) => name !== 'cancel-pending')
  const steps = shuffled(possible, acts.random)
  const drawn = []
  for (const [at, step] of steps.entries()) {
    const each = await step.draw(acts, {
      pet: fixtures.pets[at % Math.max(1, Math.min(8, fixtures.pets.length))],
    })
    if (each) drawn.push(each)
  }
  await acts.all(drawn)
  await acts.all(
    Array.from({ length: LISTS }, (_, at) => [at % 2 === 0 ? listOrders() : listInventory()] as const),
  )
}
