import {
  CantTell,
  expectRefused,
  expectSimultaneous,
  isSuccess,
  rule,
  Violation,
} from '../../support/authoring/index.ts'
import { cancelledTwice, shippedCancelled } from './scenarios.ts'

export const rules = [
  rule({
    id: 'cancel-race-once',
    level: 'implied',
    because:
      '§4.2 allows only pending orders to be cancelled, so one of several simultaneous cancellations succeeds.',
    clause: '4.2/only-pending',
    operation: 'cancelOrder',
    title: 'Exactly one of several simultaneous cancellations of an order succeeds',
    given: cancelledTwice,
    after: ['cancel-twice-refused', 'cancel-only-that-order'],
    expect({ race }) {
      expectSimultaneous(race)
      const successes = race.filter(isSuccess)
      if (successes.length === 0)
        throw new CantTell('none of the simultaneous cancellations succeeded', ...race)
      if (successes.length > 1)
        throw new Violation('one success', `${successes.length} of ${race.length}`, ...successes)
      for (const each of race) if (each !== successes[0]) expectRefused(each)
    },
    usually: 'The state is read and written in separate steps, without a lock or a conditional update.',
  }),
  rule({
    id: 'cancel-shipped-race-409',
    level: 'required',
    clause: '4.2/409',
    operation: 'cancelOrder',
    title: 'Simultaneous cancellations of a shipped order are all answered 409',
    given: shippedCancelled,
    after: 'cancel-shipped-409',
    expect({ race }) {
      expectSimultaneous(race)
      const other = race.find(({ response }) => response !== undefined && response.status !== 409)
      if (other) throw new Violation('409 for each', String(other.response?.status), other)
      if (race.some(({ response }) => !response))
        throw new CantTell('not every cancellation got a response', ...race)
    },
  }),
]
