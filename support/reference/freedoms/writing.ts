import {
  answersChanged,
  bodyText,
  type Freedom,
  leavingOpen,
  type Override,
  oneOf,
  resultChanged,
  withBody,
} from '../index.ts'

/** The ISO 8601 text of each date in another form. */
const dated = (form: (iso: string) => string): Override => resultChanged('renderDate', form)

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
      const written = Object.entries(members).map(([name, json = 'null']) => [
        name,
        members[name] && json.replace(/^-?\d+$/, spell),
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
  ...oneOf('date', '§2: an ISO 8601 date-time; which of its forms is not shown', {
    'date-offset': dated(iso => iso.replace('Z', '+05:30')),
    'date-no-offset': dated(iso => iso.replace('Z', '')),
    'date-no-seconds': dated(iso => iso.replace(/:\d\d\.\d+/, '')),
    'date-nanoseconds': dated(iso => iso.replace('Z', '000001Z')),
    'date-basic': dated(iso => iso.replace(/[-:]|\.\d+/g, '')),
    'date-space': dated(iso => iso.replace('T', ' ')),
    'date-week': dated(iso => `2026-W45-1${iso.slice(10)}`),
    'date-leap-second': dated(() => '2016-12-31T23:59:60Z'),
    'date-long-past': dated(() => '-000001-01-01T00:00:00Z'),
  }),
  ...leavingOpen('§1: JSON allows spaces (RFC 8259 §2)', {
    pretty: rewrittenJson(json => ` \t\r\n${json.replace(/([[{,])(?=[{"])/g, '$1\r\n\t ')} \n`),
  }),
  ...leavingOpen('§1: JSON allows any order of members, and escapes (RFC 8259)', {
    escapes: rewrittenJson(escaped),
    'members-turned-round': base => ({
      renderObject: (members, ctx) =>
        base.renderObject(Object.fromEntries(Object.entries(members).reverse()), ctx),
    }),
  }),
  ...leavingOpen('§2: fields other than those shown are not excluded', {
    // Orders and inventory entries have further fields, one of which is repeated (RFC 8259 §4).
    'further-members': base => ({
      orderMembers: (order, ctx) => ({
        ...base.orderMembers(order, ctx),
        status: '"placed"',
        phase: '3',
        note: 'null',
        customer: '{"id":"x","shipDate":"never","quantity":[[[]]]}',
        city: '"M\ufffdnchen"',
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
    'prototype-member': rewrittenJson(json => json.replaceAll('{"id":', '{"__proto__":{"id":"no"},"id":')),
  }),
  ...oneOf('numbers', '§2: how JSON writes integers, and the format of petId, are not shown', {
    'numbers-with-fraction': spelled(each => `${each}.00`),
    'numbers-with-exponent': spelled(each => (each === '0' ? '0e0' : `${BigInt(each) * 10n}E-1`)),
  }),
]
