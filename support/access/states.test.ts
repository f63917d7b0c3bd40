import { describe, expect, it } from 'vitest'
import { NotApplicable, NotArranged } from '../judge/outcome.ts'
import { arranger } from './arranging.ts'
import { consent } from './consent.ts'
import { namedOrders, petLeases } from './named.ts'
import { functionProvider, type StatesModule } from './provider.ts'
import { states } from './states.ts'
import { supply } from './supply.ts'
import { listing } from './testing/parts.ts'

interface House {
  readonly module?: StatesModule['setup']
  readonly readOnly?: boolean
  readonly pending?: readonly string[]
  readonly shipped?: readonly string[]
  readonly pets?: readonly string[]
}
const NEEDS = { pendingOrders: 2, shippedOrders: 1, pets: 1 }

function house({ module, readOnly = false, pending = [], shipped = [], pets = [] }: House) {
  const permission = consent(readOnly)
  const asked: unknown[] = []
  const provider =
    module &&
    functionProvider(
      {
        setup(state, params) {
          asked.push([state, params])
          return module(state, params)
        },
      },
      'the provider states',
      1_000,
    )
  const scenarios = [{ title: 'a', needs: NEEDS }]
  const arrange = states(
    {
      supply:
        provider &&
        supply(
          arranger(provider, 1_000, () => undefined),
          permission,
          scenarios,
        ),
      named: namedOrders({ pending, shipped }, scenarios),
      leases: petLeases(pets, 1),
      consent: permission,
      unknown: new Set(),
      settled: async () => undefined,
    },
    'a',
  )
  return { states: arrange, permission, asked }
}

let next = 100
const ready: StatesModule['setup'] = (state, params) => {
  const ids = Array.from({ length: Number(params['count'] ?? 1) }, () => String(params['id'] ?? ++next))
  return state === 'pets' ? { petIds: ids } : { orderIds: ids }
}

describe('arranged', () => {
  it('asks for what is needed, and grants it', async () => {
    const { states, permission, asked } = house({ module: ready })
    permission.note('order', listing('id', ['1']))
    const orders = await states.pendingOrders(2)
    const pets = await states.pets(2, 7)
    expect(asked).toEqual([
      ['pending orders', { count: 2 }],
      ['pets', { count: 2, quantity: 7 }],
    ])
    permission.note('order', listing('id', orders))
    permission.note('pet', listing('petId', pets))
    expect(orders.every(id => permission.allows('order', id))).toBe(true)
    expect(pets.every(id => permission.allows('pet', id))).toBe(true)
    expect(permission.allows('order', '1')).toBe(false)
  })

  it('an order with a chosen id, exactly', async () => {
    const { states } = house({ module: ready })
    expect(await states.orderWithId(9007199254740993n)).toBe('9007199254740993')
  })

  it('another id than the one chosen does not do', async () => {
    const { states } = house({ module: () => ({ orderIds: ['9007199254740992'] }) })
    await expect(states.orderWithId(9007199254740993n)).rejects.toBeInstanceOf(NotApplicable)
  })

  it('what is declined is not arranged, and says why', async () => {
    const { states } = house({ module: () => undefined })
    for (const task of [
      states.pendingOrder(),
      states.shippedOrder(),
      states.pets(1),
      states.manyOrders(250),
    ]) {
      const error = await task.catch((reason: Error) => reason)
      expect(error).toBeInstanceOf(NotArranged)
      expect((error as Error).message).toContain('the provider states does not arrange')
    }
    await expect(states.orderWithId(1n)).rejects.toBeInstanceOf(NotApplicable)
    expect(await states.extraOrders(2)).toEqual([])
    expect(await states.extraPets(2)).toEqual([])
  })

  it('what is declined is said with what can be done', async () => {
    const { states } = house({ module: () => undefined })
    const error = await states.pets(1).catch((caught: NotArranged) => caught)
    expect((error as NotArranged).need).toMatch(
      /^name one more pet \(--pets\), or mend this: .* does not arrange "pets"$/,
    )
  })

  it('what is declined may still be named', async () => {
    const { states } = house({ module: () => undefined, pending: ['1', '2'] })
    expect(await states.pendingOrders(2)).toEqual(['1', '2'])
  })
})

describe('named', () => {
  it('is granted when it is handed out, not before', async () => {
    const { states, permission } = house({ pending: ['1', '2'], shipped: ['8'], pets: ['5'] })
    permission.note('order', listing('id', ['1', '2', '8']))
    permission.note('pet', listing('petId', ['5']))
    expect(permission.allows('order', '1')).toBe(false)
    expect(await states.pendingOrders(2)).toEqual(['1', '2'])
    expect(await states.shippedOrder()).toBe('8')
    expect(await states.pets(1)).toEqual(['5'])
    expect([
      permission.allows('order', '1'),
      permission.allows('order', '8'),
      permission.allows('pet', '5'),
    ]).toEqual([true, true, true])
  })

  it.each<[string, (from: ReturnType<typeof house>['states']) => Promise<unknown>, string]>([
    [
      'a pending order',
      from => from.pendingOrder(),
      'name 2 more pending orders (--pending-orders), or give a states endpoint (--states-url)',
    ],
    [
      'a shipped order',
      from => from.shippedOrder(),
      'name one more shipped order (--shipped-orders), or give a states endpoint (--states-url)',
    ],
    ['a pet', from => from.pets(1), 'name one more pet (--pets), or give a states endpoint (--states-url)'],
  ])('nothing named: what to do about %s', async (_title, ask, need) => {
    await expect(ask(house({}).states)).rejects.toMatchObject({ name: 'NotArranged', need })
  })

  it('spends none on what is extra, and cannot have hundreds, nor a certain one', async () => {
    const { states } = house({ pending: ['1', '2'] })
    expect(await states.extraOrders(1)).toEqual([])
    await expect(states.manyOrders(250)).rejects.toBeInstanceOf(NotApplicable)
    await expect(states.orderWithId(1n)).rejects.toBeInstanceOf(NotApplicable)
    expect(await states.pendingOrders(2)).toEqual(['1', '2'])
  })
})

describe('read-only', () => {
  it('arranges nothing, and hands out nothing', async () => {
    const { states, asked } = house({ module: ready, readOnly: true, pending: ['1'], pets: ['5'] })
    for (const task of [
      states.pendingOrder(),
      states.shippedOrder(),
      states.pets(1),
      states.manyOrders(2),
      states.orderWithId(1n),
    ])
      await expect(task).rejects.toMatchObject({ need: 'run without --read-only' })
    expect(await states.extraOrders(1)).toEqual([])
    expect(asked).toEqual([])
  })
})

describe('what does not exist', () => {
  it('is far from everything listed', () => {
    const { states, permission } = house({})
    permission.note('order', listing('id', ['1', String(2n ** 62n - 3n)]))
    permission.note('pet', listing('petId', ['1']))
    const order = states.unknownOrder()
    expect(states.isUnknownOrder(BigInt(order))).toBe(true)
    expect(order).not.toBe(String(2n ** 62n - 3n))
    expect(permission.allows('order', order)).toBe(true)
    expect(permission.allows('pet', states.unknownPet())).toBe(true)
  })

  it('where orders hide their ids, too', () => {
    const { states, permission } = house({})
    permission.note('order', listing('id', [undefined, undefined]))
    permission.note('pet', listing('petId', [undefined]))
    expect(permission.allows('order', states.unknownOrder())).toBe(true)
    expect(permission.allows('pet', states.unknownPet())).toBe(true)
    expect(states.isUnknownOrder(1n)).toBe(false)
  })

  it('is not known while no list has been read', () => {
    expect(() => house({}).states.unknownOrder()).toThrow(NotArranged)
    expect(() => house({}).states.unknownPet()).toThrow(NotArranged)
  })

  it('is not asked for again and again where the store has accepted it', async () => {
    const { states, permission } = house({ pending: ['12', '99'] })
    permission.note('order', listing('id', ['12', '99']))
    await states.pendingOrders(1)
    permission.noteAccepted('order', '12abc')
    expect(states.hasAccepted('order')).toBe(false)
    permission.noteAccepted('order', '4611686018427387901')
    expect(states.hasAccepted('order')).toBe(true)
    expect(states.hasAccepted('pet')).toBe(false)
  })

  it('paths that could hit somebody else are not to be tried', async () => {
    const { states, permission } = house({ pending: ['12', '99'] })
    permission.note('order', listing('id', ['12', '13', '99']))
    await states.pendingOrders(2)
    expect(states.mayCancel('12abc')).toBe(true)
    expect(states.mayCancel('13abc')).toBe(false)
    permission.note('pet', listing('petId', ['7', '8']))
    permission.grantPet('7')
    expect(states.mayUpdate('7abc')).toBe(true)
    expect(states.mayUpdate('8abc')).toBe(false)
  })
})
