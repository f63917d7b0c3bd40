import {
  answersChanged,
  bodyText,
  type Freedom,
  leavingOpen,
  type Override,
  oneOf,
  withBody,
} from '../authoring.ts'

/** Forms of a date-time in ISO 8601. */
const dates: Readonly<Record<string, readonly [title: string, form: (iso: string) => string]>> = {
  'date-offset': ['with an offset', iso => iso.replace('Z', '+05:30')],
  'date-no-offset': ['without an offset', iso => iso.replace('Z', '')],
  'date-no-seconds': ['without seconds', iso => iso.replace(/:\d\d\.\d+/, '')],
  'date-nanoseconds': ['with nanoseconds', iso => iso.replace('Z', '000001Z')],
  'date-basic': ['in the basic form', iso => iso.replace(/[-:]|\.\d+/g, '')],
  'date-space': ['with a space, as RFC 3339 allows', iso => iso.replace('T', ' ')],
  'date-week': ['with the week of the year', iso => `2026-W45-1${iso.slice(10)}`],
  'date-leap-second': ['in a leap second', () => '2016-12-31T23:59:60Z'],
  'date-long-past': ['before the year 1', () => '-000001-01-01T00:00:00Z'],
}

/** Changes JSON bodies only, because another freedom may have replaced the body. */
const rewrittenJson = (change: (json: string) => string): Override =>
  answersChanged({}, answer => {
    const text = bodyText(answer)
    return /^[[{]/.test(text) ? withBody(answer, change(text)) : answer
  })

const spelled =
  (spell: (decimal: string) => string): Override =>
  base => ({
    renderObject: (members, ctx) => {
      const written = Object.entries(members).map(([name, json = '']) => [
        name,
        /^-?\d+$/.test(json) ? spell(json) : members[name],
      ])
      return base.renderObject(Object.fromEntries(written), ctx)
    },
  })

const escaped = (json: string): string =>
  json.replace(/"(?:[^"\\]|\\.)*"/g, text =>
    text.replace(
      /[a-zA-Z](?![^\\]*\\)/g,
      letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  )

/** How JSON, and dates and numbers in it, are written. */
export const freedoms: readonly Freedom[] = [
  ...Object.entries(dates).flatMap(([id, [title, form]]) =>
    oneOf('date', '§2: an ISO 8601 date-time; which of its forms is not shown', {
      [id]: [
        `shipDate is written ${title}`,
        () => ({ renderDate: (date: Date) => form(date.toISOString()) }),
      ],
    }),
  ),
  ...leavingOpen('§1: JSON allows spaces (RFC 8259 §2)', {
    pretty: [
      'JSON is indented on several lines, between white space',
      rewrittenJson(json => ` \t\r\n${json.replace(/([[{,])(?=[{"])/g, '$1\r\n\t ')} \n`),
    ],
  }),
  ...leavingOpen('§1: JSON allows any order of members, and escapes (RFC 8259)', {
    escapes: ['Every letter in a JSON string is escaped', rewrittenJson(escaped)],
    'members-turned-round': [
      'The members of objects have another order',
      base => ({
        renderObject: (members, ctx) =>
          base.renderObject(Object.fromEntries(Object.entries(members).reverse()), ctx),
      }),
    ],
  }),
  ...leavingOpen('§2: fields other than those shown are not excluded', {
    'further-members': [
      'Orders and inventory entries have further fields, one of which is repeated (RFC 8259 §4)',
      base => ({
        orderMembers: (order, ctx) => ({
          ...base.orderMembers(order, ctx),
          status: '"placed"',
          phase: '3',
          note: 'null',
          customer: '{"id":"x","shipDate":"never","quantity":[[[]]]}',
          constructor: '1',
          __proto: 'true',
          tag: '"a","tag":"b"',
        }),
        entryMembers: (entry, ctx) => ({
          ...base.entryMembers(entry, ctx),
          updatedAt: 'null',
          reserved: '2',
          warehouse: '{"status":"closed","quantity":"many"}',
        }),
      }),
    ],
    'prototype-member': [
      'Orders have a member __proto__',
      rewrittenJson(json => json.replaceAll('{"id":', '{"__proto__":{"id":"no"},"id":')),
    ],
  }),
  ...oneOf('numbers', '§2: how JSON writes integers, and the format of petId, are not shown', {
    'numbers-with-fraction': ['Numbers are written as 7.00', spelled(each => `${each}.00`)],
    'numbers-with-exponent': [
      'Numbers are written as 70E-1, and 0 as 0e0',
      spelled(each => (each === '0' ? '0e0' : `${BigInt(each) * 10n}E-1`)),
    ],
  }),
]
