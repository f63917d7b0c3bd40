import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Json, JsonNumber, type JsonObject, JsonSyntaxError, parseJson } from './json.ts'
import { digestPart, ListDigest, type ListReading } from './list-digest.ts'
import { PartMemory } from './list-parts.ts'
import { LARGEST_ELEMENT, listReader, NotAList } from './list-reader.ts'

const isWatched = (id: string): boolean => id === '7' || id === '9007199254740993'

const reading: ListReading = {
  idName: 'id',
  checks: [
    {
      name: 'quantity-integer',
      problem: ({ quantity }) =>
        quantity instanceof JsonNumber && /^-?[0-9]+$/.test(quantity.source)
          ? undefined
          : '.quantity is wrong',
    },
  ],
  labels: [{ name: 'members', labels: (entry: JsonObject) => Object.keys(entry) }],
  isWatched,
}

function read(body: Uint8Array | string, { chunk = 1000, memory = new PartMemory() } = {}) {
  const bytes = Buffer.from(body)
  const reader = listReader(reading, memory)
  for (let at = 0; at < bytes.length; at += chunk) reader.write(bytes.subarray(at, at + chunk))
  return reader.end()
}

/** Everything that a digest shows, to be compared with the elements themselves. */
const told = (digest: ListDigest) => ({
  length: digest.length,
  withoutId: digest.withoutId,
  ids: [...digest.ids.values()].sort(),
  otherIds: digest.otherIds,
  notObjects: digest.notObjects,
  repeated: digest.repeatedIds,
  offenders: digest.offendersOf('quantity-integer'),
  members: [...(digest.labelsOf('members') ?? [])].sort(),
  watched: JSON.stringify([digest.find('7'), digest.find('9007199254740993')]),
  repeatedName: digest.repeatedName,
})
const toldOf = (text: string) => {
  const { value, duplicates } = parseJson(text)
  const part = digestPart(value as Json[], reading, undefined)
  return { ...told(new ListDigest([part], reading)), repeatedName: duplicates[0] }
}

const number = fc.oneof(
  fc.integer({ min: -3, max: 20 }).map(String),
  fc.constantFrom('7', '7.0', '70e-1', '9007199254740993', '-0', '1e400', '12.5', '18446744073709551616'),
)
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('},{', '"},{"', '\\', ']', '12:00:00.5', '"a":1.5'),
)
const value = fc.oneof(
  number,
  text.map(each => JSON.stringify(each)),
  fc.constantFrom('null', 'true', '[]', '{"id":1}', '[{},{"a":[1]}]'),
)
const member = fc.tuple(
  fc.constantFrom('id', 'id', 'quantity', 'quantity', 'note', '__proto__', 'toString'),
  value,
)
const space = fc.constantFrom('', '', ' ', '\n  ', '\t')
const object = fc
  .tuple(fc.array(member, { maxLength: 4 }), space)
  .map(
    ([members, gap]) => `{${members.map(([name, json]) => `"${name}"${gap}:${gap}${json}`).join(`,${gap}`)}}`,
  )
const list = fc
  .tuple(
    fc.array(fc.oneof({ weight: 8, arbitrary: object }, value), { maxLength: 12 }),
    space,
    fc.integer({ min: 1, max: 900 }),
  )
  .map(
    ([elements, gap, times]) => `[${gap}${Array(times).fill(elements).flat().join(`${gap},${gap}`)}${gap}]`,
  )

describe('a list that is read as it arrives', () => {
  it('has the same digest as its elements, however it is written and cut into chunks', () => {
    fc.assert(
      fc.property(list, fc.integer({ min: 900, max: 200_000 }), (body, chunk) => {
        const digest = read(body, { chunk })
        expect(digest).toBeInstanceOf(ListDigest)
        expect(told(digest as ListDigest)).toEqual(toldOf(body))
      }),
      { numRuns: 150 },
    )
  })

  it('has the same digest if parts of it were read before', () => {
    const elements = Array.from(
      { length: 20_000 },
      (_, at) => `{"id":${at},"quantity":${at % 7 === 0 ? '1.5' : at}}`,
    )
    const memory = new PartMemory()
    for (const removed of [undefined, 9_000, 0, 19_999]) {
      const body = `[${elements.filter((_, at) => at !== removed).join(',')}]`
      expect(told(read(body, { memory }) as ListDigest)).toEqual(toldOf(body))
    }
  })

  it('reads only the parts that have changed', () => {
    const elements = Array.from({ length: 20_000 }, (_, at) => `{"id":${at},"quantity":${at}}`)
    let judged = 0
    const count = (): undefined => {
      judged += 1
    }
    const counting = {
      ...reading,
      checks: [{ name: 'counted', problem: count }],
    }
    const memory = new PartMemory()
    for (const body of [`[${elements.join(',')}]`, `[${elements.toSpliced(10_000, 1).join(',')}]`]) {
      judged = 0
      const reader = listReader(counting, memory)
      reader.write(Buffer.from(body))
      reader.end()
    }
    expect(judged).toBeLessThan(5_000)
  })
})

describe('what is not a list', () => {
  it('is a syntax error at the same place as for the whole text', () => {
    const broken = fc
      .tuple(list, fc.nat(), fc.constantFrom('', ',', '}', ']', '"', 'x', '\u0001'))
      .map(([body, at, put]) => body.slice(0, at % body.length) + put + body.slice((at % body.length) + 1))
    fc.assert(
      fc.property(broken, fc.integer({ min: 900, max: 200_000 }), (body, chunk) => {
        let wanted: unknown
        try {
          wanted = parseJson(body).value
        } catch (error) {
          wanted = error
        }
        const found = read(body, { chunk })
        if (wanted instanceof JsonSyntaxError) expect(found).not.toBeInstanceOf(ListDigest)
        else expect(found instanceof ListDigest).toBe(Array.isArray(wanted))
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    ['{"orders":[]}', NotAList],
    ['null', NotAList],
    ['', NotAList],
    ['  ', NotAList],
    ['[', JsonSyntaxError],
    ['[1,]', JsonSyntaxError],
    ['[,1]', JsonSyntaxError],
    ['[]x', JsonSyntaxError],
    ['[] []', JsonSyntaxError],
    ['[1 2]', JsonSyntaxError],
    ['\ufeff []', ListDigest],
    ['[] \n', ListDigest],
  ])('%j', (body, wanted) => expect(read(body)).toBeInstanceOf(wanted))

  it('bytes that are not UTF-8', () => {
    expect(read(Buffer.from('[{"a":"caf\xe9"}]', 'latin1'))).toMatchObject({
      message: expect.stringContaining('not UTF-8'),
    })
  })
})

describe('a hostile list', () => {
  it.each([
    ['one string that does not end', `["${'x'.repeat(3 * LARGEST_ELEMENT)}`],
    ['one long string', `["${'x'.repeat(3 * LARGEST_ELEMENT)}"]`],
    [
      'an object of very many names',
      `[{${Array.from({ length: 200_000 }, (_, at) => `"n${at}":1`).join(',')}}]`,
    ],
    ['brackets', '['.repeat(3 * LARGEST_ELEMENT)],
    ['elements that nest deeply', `[${'['.repeat(1000)}${']'.repeat(1000)}]`],
  ])('%s is not read to its end', (_title, body) => {
    expect(read(body, { chunk: 65_536 })).toMatchObject({ name: 'JsonBeyondReading' })
  })

  it('spaces are skipped', () => {
    expect(read(`[${' '.repeat(100_000)}{"id":1}${' '.repeat(100_000)}]`)).toBeInstanceOf(ListDigest)
  })
})
