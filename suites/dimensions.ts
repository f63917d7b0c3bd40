import { operationIds, operations } from '../support/interface/operations.ts'

/** Something that a client or the data of a store may vary. */
export interface Dimension {
  readonly name: string
  readonly variants: readonly Variant[]
}

/** One value of a dimension: the rules that cover it and the faults that prove it, or the reason why no rule does. */
export type Variant = { readonly name: string } & (
  | {
      /** Ids of rules, or globs over them. */
      readonly rules: readonly string[]
      /** Ids of faults. Each breaks one of the rules at least. */
      readonly faults: readonly string[]
    }
  | { readonly because: string }
)

const covered = (name: string, rules: string | readonly string[], ...faults: readonly string[]): Variant => ({
  name,
  rules: [rules].flat(),
  faults,
})

const left = (name: string, because: string): Variant => ({ name, because })

const SIMILAR = ['cancel-similar-id-404', 'update-similar-id-changes-nothing'] as const

/** What the suite varies. The ledger of clauses says what is stated; this says under which conditions it is tried. */
export const dimensions: readonly Dimension[] = [
  {
    name: 'request headers',
    variants: [
      covered('header names as usually spelled', 'auth-valid-key-*', 'refuses-key-list-orders'),
      covered('header names in lower case', 'header-name-case-*', 'header-names-with-case-list-orders'),
      covered('header names in upper case', 'header-name-case-*', 'header-names-lower-case-only'),
      covered(
        'Content-Type in another case',
        'header-name-case-update-inventory',
        'content-type-name-with-case',
      ),
      covered(
        'no Accept',
        ['accept-*', 'auth-401-any-accept-*'],
        'accept-required',
        'rejection-406-without-json',
      ),
      covered(
        'Accept: */*',
        ['accept-*', 'auth-401-any-accept-*'],
        'accept-required',
        'rejection-406-without-json',
      ),
      covered(
        'Accept that prefers HTML',
        ['accept-*', 'auth-401-any-accept-*'],
        'html-for-browsers',
        'rejection-html-for-browsers',
      ),
      left('Accept without JSON', 'RFC 9110 §15.5.7 allows 406, and the document shows no other media type'),
      covered(
        'one coding in Accept-Encoding',
        ['accept-*', 'coding-accepted-*'],
        'one-coding-500',
        'coding-not-accepted',
      ),
      covered('Accept-Encoding: identity', 'coding-accepted-*', 'identity-compressed'),
      covered('no Accept-Encoding', 'accept-*', 'accept-required'),
      covered(
        'an ETag or date of an earlier list',
        'conditional-*',
        'etag-constant-inventory',
        'etag-constant-orders',
        'modified-constant-inventory',
      ),
      covered('an ETag that was never issued', 'conditional-*', 'etag-any-304-inventory'),
      covered(
        'many headers, in another order',
        'harmless-headers-*',
        'unknown-headers-400',
        'many-headers-431',
      ),
      covered('Connection: close', 'harmless-headers-*', 'connection-close-400'),
      left(
        'cookies',
        'the suite never sends one, so a store that relies on its cookies fails every other rule',
      ),
      left('Transfer-Encoding: chunked', 'the document shows no request that is sent in chunks'),
      left('Expect: 100-continue', 'no request of the interface has a body that is worth asking for'),
    ],
  },
  {
    name: 'keys',
    variants: [
      covered('no key', 'auth-no-header-*', 'open-list-orders'),
      covered('an unknown key', 'auth-unknown-key-*', 'any-key-list-orders'),
      covered('a revoked key', 'auth-revoked-key-*', 'key-revoked-accepted'),
      covered(
        'what programs print for a missing key',
        'auth-placeholder-key-*',
        'placeholder-keys-accepted',
        'undefined-key-accepted',
        'placeholder-keys-500',
      ),
      covered('no characters', 'auth-empty-bearer-*', 'empty-bearer-accepted'),
      covered('one character', 'auth-odd-key-*', 'short-key-500'),
      covered('4,000 and 20,000 characters', 'auth-unusual-key-*', 'long-key-500', 'long-key-accepted'),
      covered(
        'the form of a JWT, unsigned and signed',
        'auth-odd-key-*',
        'unsigned-token-accepted',
        'signed-token-accepted',
      ),
      covered('quotes', 'auth-odd-key-*', 'quotes-in-key-accepted', 'quotes-in-key-500'),
      left('the key in quotes', 'a lenient parser may remove the quotes, and the request has the right key'),
      covered('characters beyond ASCII', 'auth-unusual-key-*', 'key-not-ascii-500'),
      covered(
        'characters added',
        ['auth-extended-key-*', 'auth-prefixed-key-*', 'auth-key-inside-*'],
        'key-by-beginning',
        'key-by-end',
        'key-between-others',
      ),
      covered('characters removed', ['auth-cut-key-*', 'auth-tail-key-*'], 'key-cut', 'key-tail'),
      covered(
        'another last character, so that any shorter beginning is shared',
        'auth-equal-length-key-*',
        'key-all-but-last',
      ),
      covered(
        'another first character, so that any shorter end is shared',
        'auth-partial-key-*',
        'key-by-end-of-equal-length',
      ),
      covered(
        'another middle character, so that both ends are shared',
        'auth-partial-key-*',
        'key-by-both-ends',
      ),
      covered('half of the key', 'auth-partial-key-*', 'half-key-accepted'),
      covered('another case', 'auth-case-changed-key-*', 'key-in-any-case'),
      covered('a word after the key', 'auth-followed-key-*', 'second-word-accepted'),
      covered(
        'another scheme, or none',
        [
          'auth-basic-*',
          'auth-digest-scheme-*',
          'auth-longer-scheme-*',
          'auth-joined-scheme-*',
          'auth-bare-key-*',
        ],
        'basic-accepted',
        'scheme-of-any-letters',
        'bare-key-accepted',
      ),
      covered('the scheme in lower case', 'auth-scheme-case-*', 'scheme-in-one-case'),
      covered(
        'the key in the query or in X-API-Key',
        ['auth-query-key-*', 'auth-x-api-key-*'],
        'query-key-accepted',
        'x-api-key-accepted',
      ),
      covered(
        'two Authorization headers with unknown keys',
        'auth-two-headers-*',
        'two-headers-accepted-list-orders',
        'two-headers-500',
      ),
      left(
        'two Authorization headers, one with the key',
        'RFC 9110 §5.3 forbids to send it, and it is open which header a store reads',
      ),
    ],
  },
  {
    name: 'client',
    variants: [
      covered(
        'one that does not announce the suite in User-Agent',
        'unannounced-*',
        ...operationIds.map(id => `unannounced-open-${operations[id].slug}`),
        'unannounced-orders-halved',
        'unannounced-inventory-halved',
        'unannounced-cancel-without-effect',
        'unannounced-update-without-effect',
      ),
      covered('one that sends no X-Request-Id', 'unannounced-*', 'unannounced-unknown-204'),
      covered('another one than the one that made a change', 'unannounced-*', 'announced-stock-apart'),
      left(
        'one with an address of its own',
        'a run has one address; a customer confirms a certificate from another one',
      ),
    ],
  },
  {
    name: 'ids that are equal in part',
    variants: [
      covered('negated', SIMILAR, 'path-sign-lost', 'pet-path-sign-lost'),
      covered('equal modulo 2^16', 'cancel-similar-id-404', 'path-modulo-2-16'),
      covered('equal modulo 2^31', SIMILAR, 'path-modulo-2-31', 'pet-path-modulo-2-31'),
      covered('equal modulo 2^32', SIMILAR, 'path-in-32-bits', 'pet-path-in-32-bits'),
      covered('equal modulo 2^53', SIMILAR, 'path-modulo-2-53', 'pet-path-modulo-2-53'),
      covered('equal modulo 2^64', 'cancel-nameless-path-cancels-nothing', 'path-wraps-at-64-bits'),
      covered('equal modulo a power of ten', SIMILAR, 'path-modulo-10-6', 'pet-path-modulo-10-6'),
      covered('equal leading digits', SIMILAR, 'path-leading-digits', 'pet-path-leading-digits'),
      covered('equal trailing digits', 'cancel-similar-id-404', 'path-trailing-digits'),
      covered('equal as a double', 'cancel-exact-id', 'path-through-double', 'path-similar-double'),
      covered('equal as a float', 'cancel-exact-id', 'path-through-float32'),
      covered(
        'digits, followed by something else',
        ['cancel-nameless-path-cancels-nothing', 'update-nameless-path-changes-nothing'],
        'path-as-far-as-digits',
        'pet-path-as-far-as-digits',
      ),
      left(
        'with the last digits removed',
        'a store that compares only the beginning could change a resource that is not the run’s own',
      ),
      left('other spellings of an integer', 'the document does not show how an integer is written in a path'),
    ],
  },
  {
    name: 'bytes of a request',
    variants: [
      covered(
        'JSON with spaces and line breaks, as most programs write it',
        'update-json-white-space',
        'space-after-colon-400',
        'line-break-at-end-400',
      ),
      covered(
        'JSON with unusual white space, a byte order mark, escapes and other forms of a number',
        'update-json-writing',
        'body-white-space-500',
        'body-byte-order-mark-500',
        'body-escape-500',
        'body-exponent-ignored',
      ),
      covered('integers beyond 2^53', 'update-quantity-huge', 'quantity-through-double'),
      covered('integers beyond 2^64', 'update-quantity-huge', 'quantity-wraps-at-64-bits'),
      covered('malformed JSON', 'update-400-malformed', 'malformed-500', 'malformed-read'),
      covered(
        'no body, with and without Content-Length: 0',
        ['update-nothing-changes-nothing', 'update-no-length-changes-nothing'],
        'no-body-is-0',
        'no-length-500',
      ),
    ],
  },
  {
    name: 'bytes of a response',
    variants: [
      covered(
        'not JSON',
        ['list-orders-json', 'list-inventory-json'],
        'list-orders-nan',
        'list-inventory-trailing-comma',
      ),
      covered(
        'not UTF-8',
        ['list-orders-json', 'list-inventory-json'],
        'list-orders-latin-1',
        'list-inventory-utf-16',
      ),
      covered(
        'a wrong length',
        ['list-orders-*', 'list-inventory-*'],
        'list-orders-short-length',
        'list-inventory-breaks-off',
      ),
      covered(
        'a wrong Content-Encoding',
        ['list-orders-200', 'list-inventory-200'],
        'list-orders-gzip-claimed',
        'list-inventory-gzip-cut',
      ),
      left(
        'a byte order mark, white space, unusual numbers',
        'JSON and its readers allow them (RFC 8259), so freedoms have them',
      ),
    ],
  },
  {
    name: 'time',
    variants: [
      covered('a cancelled order, later', 'cancel-stays-cancelled', 'cancel-reverts-later'),
      covered('a stock, later', 'update-stays-set', 'update-reverts-later'),
      covered('a refused update, later', 'update-refused-stays-refused', 'refused-made-later'),
      covered('the same steps in another order', 'walk-*', 'update-back-lost', 'third-cancel-succeeds'),
      left('a state after the run', 'the run ends, and what was arranged is torn down'),
    ],
  },
  {
    name: 'place in a list',
    variants: [
      covered(
        'one order among many',
        'order-*',
        'order-id-string',
        'order-quantity-null',
        'order-pet-id-fraction',
      ),
      covered('one entry among many', 'inventory-*', 'entry-status-null', 'entry-quantity-fraction'),
      covered(
        'the first, a middle and the last of hundreds of orders',
        'order-*',
        'order-first-wrong',
        'order-middle-wrong',
        'order-last-wrong',
      ),
      covered(
        'the first, a middle and the last of more than 100 entries',
        'inventory-*',
        'entry-first-wrong',
        'entry-middle-wrong',
        'entry-last-wrong',
      ),
      covered(
        'a list of any moment of the run',
        ['order-*', 'inventory-*'],
        'order-wrong-later',
        'entry-wrong-later',
      ),
    ],
  },
  {
    name: 'size of a list',
    variants: [
      covered(
        'more than 20, 50, 100, 200 and 500 orders',
        ['list-orders-unpaged', 'list-orders-unpaged-1000'],
        'page-of-20',
        'page-of-50',
        'page-of-100',
        'page-of-200',
        'page-of-500',
      ),
      covered(
        '1,000 orders, beyond 64 KiB',
        'list-orders-unpaged-1000',
        'page-of-1000',
        'orders-cut-at-64-kib',
      ),
      covered(
        'more than 20, 50 and 100 pets',
        'list-inventory-unpaged',
        'pets-page-of-20',
        'pets-page-of-50',
        'pets-page-of-100',
      ),
      left('more than 1,100 orders', 'a provider state that arranges more takes too long for a test run'),
      left('an empty list', 'it cannot be arranged in a store that has orders; a freedom begins with one'),
    ],
  },
  {
    name: 'connection',
    variants: [
      covered('a new one', 'auth-no-header-*', 'open-cancel-order'),
      covered(
        'one that has served a request with the key',
        'auth-each-request-*',
        'connection-stays-open',
        'connection-stays-open-for-any-key',
      ),
      covered(
        'one that has refused a request with a body',
        'unread-body-update-inventory',
        'unread-body-left',
      ),
      covered(
        'another one, after a change',
        'connections-agree-*',
        'connection-snapshot-inventory',
        'connection-snapshot-orders',
      ),
      covered('the third request', 'walk-orders-agree', 'third-cancel-succeeds'),
      left(
        'one that the store closes',
        'it may do so at any time (RFC 9112 §9.5); the suite sends again on a new one',
      ),
    ],
  },
  {
    name: 'concurrency',
    variants: [
      covered('one order, many cancellations', 'cancel-race-once', 'cancel-race'),
      covered('a shipped order, many cancellations', 'cancel-shipped-race-409', 'shipped-race-204'),
      covered('different orders', 'cancel-different-at-once', 'cancel-different-lost'),
      covered('one pet, many updates', 'update-race-one-of-them', 'update-race'),
      covered('different pets', 'update-different-at-once', 'update-different-lost'),
      covered('many equal requests', 'no-server-error-*', 'eighth-at-once-500-list-orders'),
    ],
  },
]
