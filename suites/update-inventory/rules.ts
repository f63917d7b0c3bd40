import { answer, effect, errorRules, HELD, type Rule, rulesOf } from '../rule.ts'

const VALID = ['ordinary'] as const
const invalid = (row: string, what: string) =>
  [
    `update-400-${row}`,
    {
      required: '4.4/400',
      title: `updateInventory with ${what} answers 400`,
      judges: [answer('status', { row })],
      usually: 'The value is coerced, or an error of the parser or validator is answered 500.',
    },
  ] as const
const changesNothing = (row: string, what: string) =>
  [
    `update-${row}-changes-nothing`,
    {
      because:
        'Whether quantity is required is not shown, but a body without it holds nothing that could replace the stock.',
      implied: '4.4/body',
      title: `updateInventory with ${what} answers 400, or changes nothing`,
      judges: [answer('status', { row }), effect(['nothing', 'itself', 'others', 'stock'], { row })],
      usually: 'A missing quantity becomes 0 or null.',
    },
  ] as const
const exactly = (row: string) => [
  answer('status', { row }),
  answer('fields', { about: 'quantity', row }),
  effect(['itself', 'nothing', 'stock'], { row }),
]
const limitless =
  '§4.4 replaces the stock with the quantity and names no limit. A store may refuse a quantity with 400.'

/** updateInventory replaces the stock of one pet (§4.4). */
export const rules: readonly Rule[] = rulesOf('updateInventory', {
  'update-refusal-is-400': {
    required: '4.4/400',
    title: 'updateInventory refuses an invalid body with 400, and not with 422 or another status',
    judges: [answer('status', { body: ['invalid', 'empty', 'refusable', 'lenient'], got: /^4(?!0[0-4])/ })],
    usually: 'The validation library answers with its own default status.',
  },
  ...Object.fromEntries([
    invalid('string', 'quantity as a string'),
    invalid('fraction', 'a fraction as quantity'),
    invalid('boolean', 'a boolean as quantity'),
    invalid('null', 'null as quantity'),
    invalid('array', 'an array as quantity'),
    invalid('object', 'an object as quantity'),
    invalid('malformed', 'malformed JSON'),
    invalid('body-array', 'an array as body'),
    invalid('body-string', 'a string as body'),
    invalid('body-number', 'a number as body'),
    invalid('body-null', 'null as body'),
  ]),
  'update-400-no-effect': {
    required: '4.4/400',
    title: 'An update that is answered 400 does not change the stock',
    judges: [effect(['nothing', 'itself', 'others', 'stock'], { body: 'invalid' })],
    usually: 'The stock is written before the body is validated, without a transaction.',
  },
  ...Object.fromEntries([
    changesNothing('missing', 'an object without quantity'),
    changesNothing('nothing', 'no body at all'),
    changesNothing('no-length', 'neither a body nor a Content-Length'),
  ]),
  'update-missing-400': {
    because:
      'Whether quantity is required is not shown, but an update without one is probably a mistake of the client.',
    advisory: '4.4/body',
    title: 'updateInventory without quantity answers 400',
    judges: [answer('advice', { about: 'status', row: 'missing' })],
  },
  'update-lenient': {
    because:
      'RFC 8259 §9 lets a parser accept forms that are not JSON. A store reads the quantity, or refuses the body with 400.',
    implied: '4.4/400',
    title:
      'updateInventory with JSON that only lenient parsers read sets the quantity, or answers 400 and changes nothing',
    judges: exactly('lenient'),
  },
  'update-lenient-400': {
    because:
      'RFC 8259 §9 lets a parser accept forms that are not JSON, and the document does not ask for a strict one. A client that sends them probably has a mistake.',
    advisory: '4.4/400',
    title: 'updateInventory with JSON that only lenient parsers read answers 400',
    judges: [answer('advice', { about: 'status', row: 'lenient' })],
    usually: 'The parser is made for configuration files, or reads the first value of the body only.',
  },
  'update-json-writing': {
    because:
      '§4.4 asks for a JSON object. RFC 8259 gives these writings the same meaning; a store may refuse them with 400.',
    implied: '4.4/body',
    title:
      'updateInventory with an integer in unusual but legal JSON sets exactly that quantity, or answers 400 and changes nothing',
    judges: exactly('writing'),
    usually: 'The body is read by a pattern, or an error of the parser is answered 500.',
  },
  'update-quantity-huge': {
    because: limitless,
    implied: '4.4/replaces',
    title: 'updateInventory sets a quantity beyond 2^53 exactly, or answers 400 and changes nothing',
    judges: exactly('huge'),
    usually: 'The quantity is read as a double, or wraps at 64 bits.',
  },
  'update-quantity-negative': {
    because:
      'Whether a stock may be negative is not shown. A store that accepts it replaces the stock with it.',
    implied: '4.4/replaces',
    title: 'updateInventory sets a negative quantity exactly, or answers 400 and changes nothing',
    judges: exactly('negative'),
    usually: 'The quantity is clamped at 0 instead of being refused.',
  },
  'update-quantity-exact': {
    because: limitless,
    implied: '4.4/replaces',
    title: 'updateInventory sets exactly the quantity that was sent, or answers 400 and changes nothing',
    judges: exactly('large'),
    usually: 'A column of 8, 16 or 32 bits wraps or clamps without an error.',
  },
  'update-ordinary-accepted': {
    because: '§4.4 names no limit, and a stock below a thousand is ordinary.',
    implied: '4.4/replaces',
    title: 'updateInventory accepts every quantity from 0 to 999, and sets it',
    judges: exactly('ordinary'),
    usually: 'A validator has a limit that the interface does not name, or 0 is treated as missing.',
  },
  'update-path-names-pet': {
    because: '§4.4 identifies the pet by the path. A store may refuse a further member or parameter.',
    implied: '4.4/pet-id',
    title:
      'updateInventory with another pet or quantity in the body or query changes the pet of the path as its quantity says',
    judges: [
      answer(['status', 'fields'], { row: 'path-names-pet', context: 'form' }),
      effect(['itself', 'nothing', 'others', 'stock'], { row: 'path-names-pet', context: 'form' }),
    ],
    usually:
      'The body is written over the entry, with its petId. Or the framework merges the parameters of path, query and body.',
  },
  'update-200': {
    required: '4.4/200',
    title: 'updateInventory answers 200',
    judges: [answer('status', { named: 'pet', body: VALID })],
    usually: 'A framework answers 204 if a handler returns nothing.',
  },
  'update-content-type': {
    required: '1/json',
    title: 'The 200 response of updateInventory is application/json',
    judges: [answer('type', { answered: 200, ...HELD })],
  },
  'update-entry': {
    required: '4.4/200',
    title: 'updateInventory returns an inventory entry: one JSON object',
    judges: [answer(['json', 'shape'], { answered: 200, ...HELD })],
  },
  'update-entry-of-that-pet': {
    because:
      '§4.4 returns the updated entry. That it shows its petId follows from §2, which requires only status.',
    implied: '4.4/200',
    title: 'The entry that updateInventory returns has the petId of the path',
    judges: [answer('fields', { about: 'petId', ...HELD })],
  },
  'update-entry-quantity': {
    required: '4.4/replaces',
    title: 'The entry that updateInventory returns has the quantity that was sent',
    judges: [answer('fields', { about: 'quantity', ...HELD })],
    usually: 'The entry is read before the update, the quantity is added, or it is written as a string.',
  },
  'update-entry-status': {
    required: '2/entry-status',
    title: 'The entry that updateInventory returns has a status that is a string',
    judges: [answer('fields', { about: 'status', ...HELD })],
  },
  'update-status-follows': {
    because: '§2 shows the mapping from quantity to status, but does not call it a rule.',
    implied: '2/status-mapping',
    title: 'The entry that updateInventory returns is sold at quantity 0 and available above 0',
    judges: [answer('fields', { about: 'label', ...HELD })],
    usually: 'The status is computed before the quantity is set, or from a 32-bit integer.',
  },
  'update-unknown-404': {
    required: '4.4/404',
    title: 'Updating a pet that does not exist answers 404',
    judges: [answer('status', { named: 'unknown pet' })],
    usually: 'The update is an upsert, which creates the pet.',
  },
  ...errorRules('update-404', 404, 'The 404 comes from the router, which has its own error page.'),
  'update-unknown-creates-nothing': {
    because: '§4.4 answers 404 for a pet that does not exist. That it does not exist afterwards follows.',
    implied: '4.4/404',
    title: 'updateInventory does not create or change anything if it does not find the pet',
    judges: [effect(['created', 'nothing', 'others', 'stock'], { named: 'unknown pet' })],
    usually: 'The update is an upsert, which creates the pet.',
  },
  'update-similar-id-changes-nothing': {
    because:
      '§4.4 answers 404 for a pet that does not exist. Which numbers are a petId is not shown, so another refusal than 404 is open.',
    implied: '4.4/404',
    title:
      'updateInventory with a petId that equals an existing one only in part is refused with a 4xx, and changes no stock',
    judges: [
      answer('status', { named: 'similar pet id' }),
      effect(['created', 'nothing', 'others', 'stock'], { named: 'similar pet id' }),
    ],
    usually:
      'The petId is truncated to a smaller type, its sign is lost, only some of its digits are compared, or a petId beyond 32 bits is answered 500.',
  },
  'update-nameless-path-changes-nothing': {
    because:
      '§4.4 identifies a pet by its petId, which is a number (§2), so a path that is not a number identifies no pet.',
    implied: '4.4/pet-id',
    title: 'updateInventory with a petId that is not a number changes no stock',
    judges: [
      answer('status', { named: 'no pet id' }),
      effect(['nothing', 'others', 'stock'], { named: 'no pet id' }),
    ],
    usually: 'The parser reads the leading digits and ignores the rest, as parseInt does.',
  },
  'update-replaces': {
    required: '4.4/replaces',
    title:
      'The quantity that updateInventory was sent replaces the stock: up, down, the same again, to 0 and from 0',
    judges: [effect(['itself', 'stock'], { named: 'pet' })],
    usually: 'The quantity is added, 0 is treated as missing, or it is saved a moment after the response.',
  },
  'update-other-pets-untouched': {
    because: '§4.4 updates the pet that the path names.',
    implied: '4.4/pet-id',
    title: 'An update leaves other pets and all orders unchanged',
    judges: [effect(['others', 'nothing'], { named: 'pet' })],
    usually: 'The condition on the id is missing, or two pets share one object.',
  },
  'update-charset-accepted': {
    because:
      '§4.4 names the header without parameters. Many clients add charset=utf-8, which RFC 8259 §11 gives no meaning.',
    advisory: '4.4/content-type',
    title: 'updateInventory accepts application/json; charset=utf-8',
    judges: [answer('advice', { about: 'status', row: 'charset' })],
  },
})
