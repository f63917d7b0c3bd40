import { operationIds } from '../../support/interface/operations.ts'
import { answer, type Rule, rulesOf } from '../rule.ts'

const either = { context: 'any', refused: 'either' } as const

/** What holds for every answer, whatever was asked. */
export const rules: readonly Rule[] = [
  ...rulesOf(operationIds, {
    'every-request-answered': {
      because: 'HTTP answers each request (RFC 9110 §3.4), and the document names a status for each.',
      implied: '1/http',
      title: '{} answers every request: it does not close the connection instead',
      judges: [answer('answered', either)],
      usually: 'A handler throws, and the process or the connection ends.',
    },
    'coding-accepted': {
      because: 'RFC 9110 §12.5.3: a response has a coding that the client accepts, or none.',
      advisory: '1/json',
      title: '{} uses only a content coding that Accept-Encoding names',
      judges: [answer('advice', { about: 'coding', ...either })],
    },
    framing: {
      because:
        'The document is silent. RFC 9112 §6.2 forbids Content-Length beside Transfer-Encoding: a client that goes by the other header takes the rest of one response for the next.',
      advisory: '1/json',
      title: '{} has at most one header that says where the body ends',
      judges: [answer('advice', { about: 'framing', ...either })],
      usually: 'A gateway copies the headers of the store, and sends the body in chunks.',
    },
    'other-method-405': {
      because:
        'The document is silent on other methods. RFC 9110 §15.5.6 asks for 405 with Allow, or 501 (§15.6.2).',
      advisory: '1/base-address',
      title: 'The path of {} answers an undocumented method with 405 and Allow, or with 501',
      judges: [answer('advice', { about: 'status', row: 'undocumented-method', ...either })],
    },
    'no-stack-trace': {
      because: 'The document is silent; a stack trace tells strangers how the store is built.',
      advisory: '7/400-body',
      title: '{} sends no stack trace in an error body',
      judges: [answer('advice', { about: 'trace', ...either })],
    },
  }),
  ...rulesOf('cancelOrder', {
    'cancel-no-transfer-encoding': {
      because:
        'The document is silent. RFC 9112 §6.1 forbids Transfer-Encoding in a 204: some clients wait for chunks that never come.',
      advisory: '4.2/204',
      title: 'The 204 response of cancelOrder has no Transfer-Encoding',
      judges: [answer('advice', { about: 'transfer', ...either })],
      usually: 'A gateway adds the header to every response.',
    },
    'unread-body': {
      because:
        'RFC 9112 §9.3: a server reads the whole body of a request or closes the connection. Else the next request of the client is answered wrongly.',
      implied: '4.4/401',
      title: 'After a refused updateInventory the connection serves the next request, or is closed',
      judges: [answer(['answered', 'status', 'type', 'json', 'shape'], { row: 'unread-body' })],
      usually:
        'The request is refused before its body is read, and the server takes the body for the next request.',
    },
  }),
]
