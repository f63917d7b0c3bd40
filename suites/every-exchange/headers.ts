import {
  answered,
  expectJsonType,
  expectStatus,
  expectValidJson,
  header,
  rule,
  Violation,
} from '../../support/authoring/index.ts'
import { type OperationId, operations } from '../../support/interface/operations.ts'
import { plainRuleOf, varied } from './scenarios.ts'

/** The rules about the body of the same response with the usual headers. */
const bodyRulesOf: Readonly<Record<OperationId, readonly string[]>> = {
  listOrders: ['list-orders-content-type', 'list-orders-json'],
  cancelOrder: ['cancel-404-content-type', 'cancel-404-error-body'],
  listInventory: ['list-inventory-content-type', 'list-inventory-json'],
  updateInventory: ['update-content-type', 'update-entry'],
}

/** Content codings in Accept-Encoding, for requests that name exactly one. */
const codingAllowed = (request: { readonly headers: readonly (readonly [string, string])[] }) =>
  header(request, 'accept-encoding')

export const rules = varied.flatMap(({ id, given }) => {
  const { slug, method, path, harmless } = operations[id]
  const here = { operation: id, given, clause: harmless.clause, after: plainRuleOf(id) }
  const request = `${method} ${path}`
  return [
    rule({
      ...here,
      id: `header-name-case-${slug}`,
      level: 'implied',
      because:
        'RFC 9110 §5.1 compares header names without case. Clients and gateways write them in lower case, for example after HTTP/2.',
      title: `${request} reads the names of request headers in any case`,
      expect({ cases, expected }) {
        for (const answer of cases) expectStatus(answer, expected)
      },
      usually: 'The headers are in a map whose keys are compared with case: headers["Authorization"].',
    }),
    rule({
      ...here,
      id: `accept-${slug}`,
      after: [plainRuleOf(id), ...bodyRulesOf[id]],
      level: 'implied',
      because:
        '§1 states that bodies are application/json. Each Accept that is sent allows it, and a store may always leave out a content coding (RFC 9110 §12.5.3).',
      clause: '1/json',
      title: `${request} answers with JSON for every Accept and Accept-Encoding that allows it`,
      expect({ accepts, expected }) {
        for (const answer of accepts) {
          expectStatus(answer, expected)
          expectJsonType(answer)
          expectValidJson(answer)
        }
      },
      usually:
        'The framework negotiates HTML for browsers, or answers 406 if Accept does not name application/json.',
    }),
    rule({
      ...here,
      id: `harmless-headers-${slug}`,
      level: 'implied',
      because:
        'RFC 9110 §5.1 asks to ignore unknown headers, and §5.3 gives their order no meaning. Proxies add many.',
      title: `${request} ignores unknown request headers, the order of headers, and Connection: close`,
      expect: ({ many, expected }) => expectStatus(many, expected),
    }),
    rule({
      ...here,
      id: `coding-accepted-${slug}`,
      level: 'advisory',
      because:
        'The document is silent. RFC 9110 §12.5.3 asks for no coding that Accept-Encoding does not name.',
      clause: '1/json',
      title: `${request} uses only a content coding that Accept-Encoding names`,
      expect({ accepts }) {
        for (const answer of accepts) {
          const allowed = codingAllowed(answer.request)
          const coding = header(answered(answer), 'content-encoding')
          if (allowed && coding && coding !== 'identity' && !allowed.includes(coding))
            throw new Violation(`no Content-Encoding except ${allowed}`, coding, answer)
        }
      },
    }),
  ]
})
