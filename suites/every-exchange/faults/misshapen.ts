import {
  type Answer,
  answersChanged,
  bodyText,
  breaking,
  errorsChanged,
  type Fault,
  type Operation,
  type Override,
  withBody,
  withHeader,
  withStatus,
} from '../../../support/reference/authoring.ts'

type Change = (answer: Answer) => Answer

const rewritten =
  (change: (json: string) => string | Uint8Array): Change =>
  answer =>
    withBody(answer, change(bodyText(answer)))

const typed =
  (type: string | undefined, change: Change = answer => answer): Change =>
  answer =>
    withHeader(change(answer), 'Content-Type', type)

/** What a list can be instead, by the end of the id of the rule that it violates. */
const lists: Readonly<Record<string, Readonly<Record<string, readonly [title: string, change: Change]>>>> = {
  '200': { '206': ['is answered 206, as paging libraries do', answer => withStatus(answer, 206)] },
  'content-type': {
    'text-html': ['has Content-Type text/html', typed('text/html')],
    'no-type': ['has no Content-Type', typed(undefined)],
    'hal-json': ['has Content-Type application/hal+json', typed('application/hal+json')],
  },
  json: {
    'trailing-comma': ['has a trailing comma', rewritten(json => json.replace(/\]$/, ',]'))],
    nan: ['contains NaN', rewritten(json => json.replace(/"quantity":\d+/, '"quantity":NaN'))],
    'latin-1': [
      'is encoded in Latin-1',
      rewritten(json => Buffer.from(json.replace('{', '{"note":"caf\u00e9",'), 'latin1')),
    ],
    blank: ['is empty', rewritten(() => '')],
  },
  array: {
    wrapped: ['is wrapped in an object', rewritten(json => `{"items":${json}}`)],
    'by-id': [
      'is an object with a member for each id',
      rewritten(json => `{${json.slice(1, -1).replace(/\{"(?:id|petId)":(-?[^,]+),/g, '"$1":{"same":$1,')}}`),
    ],
  },
  objects: {
    'with-null': ['has null as an element', rewritten(json => json.replace(/^\[/, '[null,'))],
    nested: ['is an array of arrays', rewritten(json => `[${json}]`)],
  },
}

/** The list is wrong as a whole. The lists share their rendering, so one of them has all these faults. */
export const misshapenLists = (
  operation: Operation,
  prefix: 'list-orders' | 'list-inventory',
  isWanted: (at: number) => boolean = () => true,
): readonly Fault[] =>
  Object.entries(lists).flatMap(([what, changes]) =>
    Object.entries(changes)
      .filter((_, at) => isWanted(at))
      .flatMap(([id, [title, change]]) =>
        breaking(`${prefix}-${what}`, {
          [`${prefix}-${id}`]: [
            `The response of ${operation} ${title}`,
            answersChanged({ operation, status: 200 }, change),
          ],
        }),
      ),
  )

/** One element of a list that is longer than this has a string as quantity, or the third one from the tenth list on. */
export function wrongElements(
  operation: Operation,
  element: string,
  breaks: string,
  long: number,
): readonly Fault[] {
  const quoted = (items: readonly string[], at: number): readonly string[] =>
    items.map((item, n) => (n === at ? item.replace(/"quantity":([0-9]+)/, '"quantity":"$1"') : item))
  const rendered =
    (wrong: (items: readonly string[], nth: number) => readonly string[]): Override =>
    base => {
      let count = 0
      return {
        renderArray: (items, ctx) =>
          base.renderArray(ctx.operation === operation ? wrong(items, ++count) : items, ctx),
      }
    }
  return [
    ...breaking(
      breaks,
      {
        [`${element}-last-wrong`]: [
          `The quantity of the last ${element} in a long list is a string`,
          rendered(items => (items.length > long ? quoted(items, items.length - 1) : items)),
        ],
      },
      { outOfReachWhenNamed: 'named orders and pets do not make a long list' },
    ),
    ...breaking(breaks, {
      [`${element}-wrong-later`]: [
        `The quantity of the third ${element} is a string from the tenth list on`,
        rendered((items, nth) => (nth < 10 ? items : quoted(items, 2))),
      ],
    }),
  ]
}

/** Error bodies of frameworks and gateways, and common mistakes. The 404s share their rendering. */
const members: Readonly<Record<string, readonly [title: string, name: string, json: string | undefined]>> = {
  'no-code': ['has no code', 'code', undefined],
  'no-status': ['has no status', 'status', undefined],
  'code-number': ['has a number as code', 'code', '1001'],
  'status-string': ['has a string as status', 'status', '"404"'],
  'status-other': ['has status 500 in its body', 'status', '500'],
}

const bodies: Readonly<Record<string, readonly [title: string, change: Change]>> = {
  nested: ['is wrapped in a member error', rewritten(json => `{"error":${json}}`)],
  empty: ['has an empty body', rewritten(() => '')],
}

const types: Readonly<Record<string, readonly [title: string, change: Change]>> = {
  html: [
    'has an HTML body',
    typed(
      'text/html; charset=utf-8',
      rewritten(() => '<h1>404</h1>'),
    ),
  ],
  'problem-json': ['has a problem details body (RFC 9457)', typed('application/problem+json')],
  bare: ['has neither a body nor a Content-Type', ({ body: _, ...answer }) => typed(undefined)(answer)],
}

export const misshapen404 = (
  operation: Operation,
  prefix: string,
  isWanted: (at: number) => boolean = () => true,
): readonly Fault[] => {
  const which = { operation, status: 404 }
  const of = (rule: string, all: Readonly<Record<string, readonly [title: string, override: Override]>>) =>
    Object.entries(all)
      .filter((_, at) => isWanted(at))
      .flatMap(([id, [title, override]]) =>
        breaking(`${prefix}-${rule}`, {
          [`${prefix}-${id}`]: [`The 404 of ${operation} ${title}`, override],
        }),
      )
  const changed = (all: typeof bodies) =>
    Object.fromEntries(
      Object.entries(all).map(([id, [title, change]]) => [
        id,
        [title, answersChanged(which, change)] as const,
      ]),
    )
  const altered = Object.entries(members).map(
    ([id, [title, name, json]]) =>
      [id, [title, errorsChanged(which, each => ({ ...each, [name]: json }))] as const] as const,
  )
  return [
    ...of('error-body', { ...Object.fromEntries(altered), ...changed(bodies) }),
    ...of('content-type', changed(types)),
  ]
}
