import { brotliCompressSync, constants } from 'node:zlib'
import {
  answersChanged,
  breaking,
  type Context,
  type Fault,
  resultChanged,
  withBody,
  withHeader,
} from '../../../support/reference/authoring.ts'

/** Whether the request is one of an operation. Requests that the router refuses have none. */
const isOperation = ({ operation }: Context): boolean => operation !== 'none' && operation !== 'getPet'

/** Fast rather than small. */
const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

/** Wrong handling of request headers. The other answers of an operation wait for these rules. */
export const faults: readonly Fault[] = [
  ...breaking(
    ['any-form/listOrders', 'any-form/cancelOrder', 'any-form/listInventory', 'any-form/updateInventory'],
    {
      'header-names-lower-case-only': [
        'The header authorization is not found if its name is in upper case',
        resultChanged('credential', (key, { headerNames }) =>
          headerNames.includes('AUTHORIZATION') ? undefined : key,
        ),
      ],
      'html-for-browsers': [
        'Responses are HTML pages if Accept prefers HTML',
        answersChanged({}, (answer, ctx) =>
          isOperation(ctx) && answer.status !== 401 && ctx.headers.get('accept')?.startsWith('text/html')
            ? withHeader(withBody(answer, '<h1>Store</h1>'), 'Content-Type', 'text/html')
            : answer,
        ),
      ],
    },
  ),
  ...breaking('coding-accepted', {
    'coding-not-accepted': [
      'Responses are compressed with Brotli even if Accept-Encoding does not name it',
      answersChanged({}, answer =>
        answer.body
          ? withHeader(withBody(answer, brotliCompressSync(answer.body, FAST)), 'Content-Encoding', 'br')
          : answer,
      ),
    ],
    'coding-names-charset': [
      'Responses have the header Content-Encoding: UTF-8',
      answersChanged({}, answer => (answer.body ? withHeader(answer, 'Content-Encoding', 'UTF-8') : answer)),
    ],
    'coding-names-charset-401': [
      'The 401 responses have the header Content-Encoding: UTF-8',
      answersChanged({ status: 401 }, answer => withHeader(answer, 'Content-Encoding', 'UTF-8')),
    ],
  }),
]
