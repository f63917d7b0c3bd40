import {
  type Answer,
  answersChanged,
  bodyText,
  breaking,
  errorsChanged,
  type Fault,
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
  (type: string | undefined): Change =>
  answer =>
    withHeader(answer, 'Content-Type', type)

/** What a list can be instead, by the end of the id of the rule that it violates. */
const lists: readonly (readonly [rule: string, id: string, title: string, change: Change])[] = [
  ['200', '206', 'is answered 206, as paging libraries do', answer => withStatus(answer, 206)],
  ['content-type', 'text-html', 'has Content-Type text/html', typed('text/html')],
  ['json', 'trailing-comma', 'has a trailing comma', rewritten(json => json.replace(/\]$/, ',]'))],
  [
    'json',
    'latin-1',
    'is encoded in Latin-1',
    rewritten(json => Buffer.from(json.replace('{', '{"note":"caf\u00e9",'), 'latin1')),
  ],
  ['json', 'byte-order-mark', 'begins with a byte order mark', rewritten(json => `\ufeff${json}`)],
  ['array', 'wrapped', 'is wrapped in an object', rewritten(json => `{"items":${json}}`)],
  ['array', 'with-null', 'has null as an element', rewritten(json => json.replace(/^\[/, '[null,'))],
]

/** The list is wrong as a whole. The lists share their rendering, so one of them has only the first fault of each rule. */
export const misshapenLists = (operation: 'listOrders' | 'listInventory', prefix: string): readonly Fault[] =>
  lists
    .filter(([rule], at) => operation === 'listOrders' || rule !== lists[at - 1]?.[0])
    .flatMap(([rule, id, title, change]) =>
      breaking(`${prefix}-${rule}`, {
        [`${prefix}-${id}`]: [
          `The response of ${operation} ${title}`,
          answersChanged({ operation, status: 200 }, change),
        ],
      }),
    )

/** A common mistake in error bodies, and the page of a framework. */
export function misshapen404(operation: 'cancelOrder' | 'updateInventory', prefix: string): readonly Fault[] {
  const which = { operation, status: 404 } as const
  const member = (name: string, json: string | undefined): Override =>
    errorsChanged(which, members => ({ ...members, [name]: json }))
  const page: Change = answer => typed('text/html')(withBody(answer, '<h1>404</h1>'))
  return [
    ...breaking(`${prefix}-error-body`, {
      [`${prefix}-no-code`]: [`The 404 of ${operation} has no code`, member('code', undefined)],
    }),
    ...breaking(`${prefix}-content-type`, {
      [`${prefix}-html`]: [`The 404 of ${operation} has an HTML body`, answersChanged(which, page)],
    }),
  ]
}
