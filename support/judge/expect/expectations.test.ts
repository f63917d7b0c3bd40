import { describe, expect, it } from 'vitest'
import { expectErrorBody, quantityIn } from '../../authoring/expectations.ts'
import type { Exchange } from '../../http/exchange.ts'
import { JsonNumber } from '../../http/json.ts'
import { Cutter } from '../../http/part.ts'
import { orderSchema } from '../../interface/schemas.ts'
import { CantTell, NotApplicable, Violation } from '../outcome.ts'
import { exchangeOf, answer as listed, silence } from '../testing/parts.ts'
import { expectJson, expectJsonType, expectStatus } from './exchanges.ts'
import {
  countInBoth,
  expectEach,
  expectListed,
  expectObjects,
  expectUnique,
  find,
  hasType,
  idsIn,
  isPresent,
  showsIds,
} from './lists.ts'
import { show } from './values.ts'

const hasId = hasType('id', orderSchema.fields.id, 'integers')

describe('no response is never a violation', () => {
  it.each<[string, () => unknown]>([
    ['expectStatus', () => expectStatus(silence(), 200)],
    ['expectJson', () => expectJson(silence())],
    ['expectEach', () => expectEach(silence(), isPresent('id'))],
    ['expectListed', () => expectListed(silence(), 'id', ['1'])],
    ['quantityIn', () => quantityIn(silence(), '1')],
  ])('%s', (_name, check) => expect(check).toThrow(CantTell))
})

describe('JSON', () => {
  it.each([
    ['', Violation],
    ['['.repeat(100_000), CantTell],
  ] as const)('%.20j', (body, wanted) => expect(() => expectJson(listed(body))).toThrow(wanted))

  it('a list of any size is no Error', () => {
    const body = `[${'{"id":1},'.repeat(40_000)}{}]`
    const cutter = new Cutter()
    cutter.write(Buffer.from(body))
    const large = exchangeOf({ status: 401, body: '[…', wholeLength: body.length, parts: cutter.end() })
    for (const exchange of [listed(body, 401), large])
      expect(() => expectErrorBody(exchange)).toThrow(/^expected an Error object, got \[{"id":1},/)
  })

  it('in a content coding that the suite cannot undo', () => {
    const coded = (body: string) => exchangeOf({ body, headers: [['Content-Encoding', 'zstd']] })
    expect(() => expectJson(coded('[]'))).not.toThrow()
    expect(() => expectJson(coded('(\ufffd/\ufffd'))).toThrow(CantTell)
    expect(() => expectJson(coded('(\ufffd/\ufffd'))).toThrow('Content-Encoding "zstd"')
  })

  it('bytes that are not UTF-8 are not JSON', () => {
    expect(() => expectJson(exchangeOf({ body: '"\ufffd"', bodyBase64: 'IsMi' }))).toThrow(Violation)
    expect(() => expectJson(listed('"\ufffd"'))).not.toThrow()
  })
})

describe('Content-Type', () => {
  const typed = (...types: string[]) =>
    exchangeOf({ headers: types.map(type => ['Content-Type', type] as const) })

  it.each([[['application/json']], [['Application/JSON; charset=utf-8', 'application/json']]])(
    '%j is application/json',
    types => expect(() => expectJsonType(typed(...types))).not.toThrow(),
  )

  it.each([[[]], [['text/html']], [['application/json; charset=utf-8', 'text/html']]])('%j is not', types =>
    expect(() => expectJsonType(typed(...types))).toThrow(Violation),
  )
})

describe('lists', () => {
  it('there is one violation for all elements, which names three and counts the rest', () => {
    const body = `[1${',{"id":"x"}'.repeat(10)}]`
    expect(() => expectEach(listed(body), hasId)).toThrow(
      '[1].id is "x", not a number; [2].id is "x", not a number; [3].id is "x", not a number, and 7 more',
    )
    expect(() => expectObjects(listed('[{},1]'))).toThrow('[1] is 1')
  })

  it.each(['{}', '[', ''])('a list that cannot be read (%s) is reported by another rule', body => {
    expect(() => expectUnique(listed(body), 'id')).toThrow(CantTell)
    expect(() => expectUnique(listed('[]', 500), 'id')).toThrow(CantTell)
  })

  it('ids are compared exactly', () => {
    expect(() =>
      expectUnique(listed('[{"id":9007199254740992},{"id":9007199254740993}]'), 'id'),
    ).not.toThrow()
    expect(() => expectUnique(listed('[{"id":5},{"id":5.0}]'), 'id')).toThrow(Violation)
    expect(() => expectUnique(listed('[{},{},{"id":"1"},{"id":"1"}]'), 'id')).not.toThrow()
    expect(find(listed('[{"id":9007199254740992}]'), 'id', '9007199254740993')).toBeUndefined()
    const list = listed('[{"id":12.50},{"id":"7"}]')
    expect(countInBoth(list, list, 'id')).toBe(1)
    expect([...idsIn(list, 'id')]).toEqual(['12.5'])
    expect(showsIds(list, 'id')).toBe(true)
  })

  it('an id that is not shown may be that of an element without one, and no further id', () => {
    const list = listed('[{"id":1},{},{"id":2}]')
    expect(() => expectListed(list, 'id', ['1', '3'])).toThrow(NotApplicable)
    expect(() => expectListed(list, 'id', ['3', '4'])).toThrow(Violation)
  })

  it('an id is repeated in one list, however many parts the lists have in common', () => {
    const ids = Array.from({ length: 9_000 }, (_, at) => at)
    const [first, moved, again] = [ids, ids.slice(1).concat(0), ids.concat(4_000)].map(each =>
      listed(`[${each.map(id => `{"id":${id},"quantity":5}`)}]`),
    ) as [Exchange, Exchange, Exchange]
    expect(() => expectUnique([first, moved, first], 'id')).not.toThrow()
    expect(() => expectUnique([first, moved, again], 'id')).toThrow('[9000].id 4000 is also in an earlier')
  })
})

describe('what is shown', () => {
  it('is on one line, cut, and without terminal control characters', () => {
    const shown = show(`\u001b[32m\u202eok\n${'x'.repeat(500)}`)
    expect(shown).toMatch(/^"\\u001b\[32m\\u202eok\\n/)
    expect(shown.length).toBeLessThan(70)
    expect(show(new JsonNumber('5e0'))).toBe('5e0')
  })
})

describe('a message stays short, whatever the store sends', () => {
  it.each<[string, () => unknown]>([
    ['a long text', () => expectEach(listed(`[{"id":"${'x'.repeat(100_000)}"}]`), hasId)],
    ['a long name', () => expectErrorBody(listed(`{"${'x'.repeat(100_000)}":1}`, 401))],
    ['a long type', () => expectJsonType(exchangeOf({ headers: [['content-type', 'x'.repeat(50_000)]] }))],
    ['a long id', () => expectUnique(listed(`[${`{"id":${'1'.repeat(50_000)}},`.repeat(2)}{}]`), 'id')],
    ['a long text that is not JSON', () => expectJson(listed('x'.repeat(100_000)))],
  ])('%s', (_title, check) => expect(check).toThrow(/^.{1,1000}$/))
})
