import type { Answer } from '../answer.ts'
import { emptyAnswer, withBody, withHeader } from '../answer.ts'
import { answersChanged, errorsChanged } from '../changes.ts'
import type { Freedom } from '../fault.ts'

const as = (type: string | undefined, body: (answer: Answer) => string) => (answer: Answer) =>
  withHeader(withBody(answer, body(answer)), 'Content-Type', type)

const bodies: readonly (readonly [id: string, what: string, change: (answer: Answer) => Answer])[] = [
  ['empty', 'no body', ({ status }) => emptyAnswer(status)],
  ['html', 'an HTML body', as('text/html', ({ status }) => `<h1>Error ${status}</h1>`)],
  ['text', 'a text body', as('text/plain; charset=utf-8', () => 'no')],
  [
    'problem',
    'a problem details body (RFC 9457)',
    as('application/problem+json', ({ status }) => `{"type":"about:blank","title":"no","status":${status}}`),
  ],
  ['list', 'an array of messages', as('application/json', () => '[{"path":"quantity","message":"wrong"}]')],
  [
    'no-json',
    'Content-Type application/json and a body that is not JSON',
    as('application/json', () => 'Bad Request'),
  ],
]

/** Error bodies and challenges. */
export const freedoms: readonly Freedom[] = [
  ...[400, 409].flatMap(status =>
    bodies
      .filter(([id]) => status === 400 || ['empty', 'html'].includes(id))
      .map(
        ([id, what, change]): Freedom => ({
          id: `${status}-${id}`,
          title: `A ${status} has ${what}`,
          clause: `§7: the shape of a ${status} is not shown`,
          topic: `${status}-body`,
          override: answersChanged({ status }, change),
        }),
      ),
  ),
  {
    id: 'error-further-members',
    title: 'Errors have further fields',
    clause: '§2 Error: three members are required; more are not excluded',
    override: errorsChanged({}, members => ({
      ...members,
      traceId: '"c0ffee"',
      errors: '[null,{"status":"deep"}]',
      path: 'null',
    })),
  },
  {
    id: 'error-status-with-fraction',
    title: 'The status of an error is written 401.0',
    clause: '§2 Error: status is an integer; how JSON writes it is not shown',
    topic: 'error-status',
    override: errorsChanged({}, (members, { status }) => ({ ...members, status: `${status}.0` })),
  },
  {
    id: 'error-status-with-exponent',
    title: 'The status of an error is written 4.01e2',
    clause: '§2 Error: status is an integer; how JSON writes it is not shown',
    topic: 'error-status',
    override: errorsChanged({}, (members, { status }) => ({ ...members, status: `${status / 100}e2` })),
  },
  {
    id: 'error-texts-empty',
    title: 'code and message of errors are empty',
    clause: '§7: the values of code are not shown',
    override: errorsChanged({}, members => ({ ...members, code: '""', message: '""' })),
  },
  {
    id: 'error-code-like-number',
    title: 'code of errors is a string of digits',
    clause: '§7: the values of code are not shown',
    override: errorsChanged({}, (members, { status }) => ({ ...members, code: `"${status}"` })),
  },
  {
    id: 'error-members-turned-round',
    title: 'The members of errors have another order',
    clause: '§2 Error: members of an object have no order (RFC 8259 §4)',
    override: base => ({
      errorMembers: (refusal, ctx) =>
        Object.fromEntries(Object.entries(base.errorMembers(refusal, ctx)).reverse()),
    }),
  },
  {
    id: 'no-challenge',
    title: 'A 401 has no WWW-Authenticate',
    clause: '§5: the header is not named',
    topic: 'challenge',
    override: answersChanged({ status: 401 }, answer => withHeader(answer, 'WWW-Authenticate')),
  },
  {
    id: 'several-challenges',
    title: 'WWW-Authenticate of a 401 names several schemes',
    clause: '§5: the header is not named',
    topic: 'challenge',
    override: answersChanged({ status: 401 }, answer =>
      withHeader(answer, 'WWW-Authenticate', 'Negotiate, Bearer realm="a, b", error="invalid_token"'),
    ),
  },
  {
    id: 'scheme-to-the-letter',
    title: 'The scheme is accepted only as Bearer, in this case',
    clause: '§5 shows the scheme as Bearer only',
    override: base => ({
      credential: ctx =>
        ctx.headers.get('authorization')?.startsWith('Bearer ') ? base.credential(ctx) : undefined,
    }),
  },
]
