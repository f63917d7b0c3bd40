import { operationIds } from '../../support/interface/operations.ts'
import { answer, effect, errorRules, type Rule, rulesOf } from '../rule.ts'
import { keyRules } from './wrong-keys.ts'

const CLAUSES = {
  listOrders: '4.1/401',
  cancelOrder: '4.2/401',
  listInventory: '4.3/401',
  updateInventory: '4.4/401',
} as const

const refused = { refused: true } as const
/** A store that accepts these accepts most other wrong keys as well. */
const GENERAL: readonly string[] = ['no-header', 'unknown-key']
const because401 = (what: string) =>
  `§5 states 401 for every request without a valid key. That it comes before ${what} follows.`

/** Every operation requires the key (§5). A wrong key is one that differs from the right one in one thing. */
export const rules: readonly Rule[] = [
  ...rulesOf(operationIds, {
    'auth-valid-key': {
      required: '5/bearer',
      title: '{} accepts the API key',
      isGeneral: true,
      judges: [answer('status', { got: /^40[13]$/ })],
      usually:
        'The key is compared with another one, or a gateway in front of the store needs a header of its own.',
    },
  }),
  ...keyRules.map(
    ({ name, title, expected, basis }): Rule => ({
      id: `auth-${name}`,
      operations: operationIds,
      ...basis,
      ...(GENERAL.includes(name) ? { isGeneral: true as const } : {}),
      clause: CLAUSES,
      title: `{} ${expected === 401 ? 'answers 401 to' : 'rejects'} a request with ${title}`,
      judges: [
        basis.level === 'advisory'
          ? answer('advice', { about: 'status', row: name, refused: 'either' })
          : answer('status', { row: name, ...refused }),
      ],
      usually:
        'The key is compared in part, after a change, or in a place where the interface does not look for it.',
    }),
  ),
  ...rulesOf(operationIds, {
    'auth-each-request': {
      isGeneral: true,
      required: '5/bearer',
      title: '{} checks the key of every request on a connection',
      judges: [answer('status', { row: 'each-request', ...refused })],
      usually:
        'The key is checked only when the connection opens, or the result is cached for the connection.',
    },
    ...errorRules(
      'auth-401',
      401,
      'The 401 comes from a gateway or from middleware, which has its own error page.',
    ),
    'auth-www-authenticate': {
      because:
        'The document does not name the header. RFC 9110 §11.6.1 and RFC 6750 §3 require it with a 401.',
      advisory: '5/bearer',
      title: 'The 401 of {} has a WWW-Authenticate header with the scheme Bearer',
      judges: [answer('advice', { about: 'challenge', context: 'any', refused: 'either' })],
    },
    'auth-scheme-case': {
      because: 'The document shows the scheme as Bearer only. RFC 9110 §11.1 compares schemes without case.',
      advisory: '5/bearer',
      title: '{} accepts the scheme Bearer in any case',
      judges: [answer('advice', { about: 'status', row: 'scheme-case', refused: 'either' })],
    },
    'auth-key-not-echoed': {
      because: 'The document is silent. A key in a response gets into logs and caches.',
      advisory: '5/bearer',
      title: '{} never sends the key back',
      judges: [answer('advice', { about: 'echo', context: 'any', refused: 'either' })],
    },
  }),
  ...rulesOf(['cancelOrder', 'updateInventory'], {
    'auth-before-lookup': {
      because: because401('404'),
      implied: '5/401',
      title: '{} answers 401 to a request without a key for what does not exist',
      judges: [answer('status', { row: 'before-lookup', ...refused })],
      usually:
        'The record is loaded before the key is checked, so that anybody can find out which ids exist.',
    },
    'auth-override': {
      because: '§5 requires the key for every operation, in whatever way a client asks for it.',
      implied: '5/401',
      title: '{} has no effect without a key, also if a header or a query of another method names its method',
      judges: [effect(['nothing', 'others', 'stock'], { row: 'other-method', ...refused })],
      usually: 'A filter replaces the method after the key was checked.',
    },
    'auth-401-no-effect': {
      required: '5/401',
      title: '{} changes nothing where it answers 401',
      judges: [effect(['nothing', 'others', 'stock', 'created'], { ...refused })],
      usually: 'The handler runs although the check failed, and only its response is replaced by the 401.',
    },
  }),
  ...rulesOf('cancelOrder', {
    'auth-before-state': {
      because: because401('409'),
      implied: '5/401',
      title: '{} answers 401 to a request without a key for a shipped order',
      judges: [answer('status', { row: 'before-state', ...refused })],
      usually: 'The state of the order is checked before the key.',
    },
  }),
  ...rulesOf('updateInventory', {
    'auth-before-body': {
      because: because401('400 and 415'),
      implied: '5/401',
      title:
        '{} answers 401 to a request without a key, also if its body is invalid or has another content type',
      judges: [answer('status', { row: 'before-body', ...refused })],
      usually: 'A body parser or validator runs before the key is checked.',
    },
  }),
  ...rulesOf(['listOrders', 'listInventory'], {
    'auth-path-spelling': {
      because:
        '§5 requires a key for every operation. A store need not know another spelling of the path, but may not answer it with the list.',
      implied: '5/401',
      title: '{} does not show the list without a key under another spelling of its path',
      judges: [answer('status', { row: 'path-spelling', about: 'unlisted', ...refused })],
      usually: 'The key is checked for paths as they are written, and the router normalizes them afterwards.',
    },
    'auth-conditional': {
      because:
        '§5 states 401 for every request without a valid key. RFC 9110 §13.2.1: a server ignores a condition if its answer without it is no success.',
      implied: '5/401',
      title: '{} answers 401 to a request without a key, also if the client has the current list',
      judges: [answer('status', { row: 'conditional', ...refused })],
      usually: 'A cache in front of the store, or a filter before its check, answers 304.',
    },
  }),
]
