import {
  type Answer,
  answersChanged,
  errorsChanged,
  type Fault,
  type Operation,
  type Override,
  type Which,
  withBody,
  withHeader,
} from '../../../support/reference/authoring.ts'

interface Misshapen {
  readonly id: string
  readonly title: string
  /** What violates a rule: the media type or the body. With a wrong media type the body is not judged. */
  readonly by: 'type' | 'body'
  readonly make: (which: Which) => Override
}

const typed = (answer: Answer, type: string | undefined, body: string): Answer =>
  withHeader(withBody(answer, body), 'Content-Type', type)

const member =
  (name: string, json: string | undefined): Misshapen['make'] =>
  which =>
    errorsChanged(which, members => ({ ...members, [name]: json }))

const whole =
  (change: (answer: Answer) => Answer): Misshapen['make'] =>
  which =>
    answersChanged(which, change)

const text = ({ body }: Answer): string => Buffer.from(body ?? []).toString()

/** Error bodies of frameworks and gateways, and common mistakes. */
const misshapen: readonly Misshapen[] = [
  { id: 'no-code', title: 'has no code', by: 'body', make: member('code', undefined) },
  { id: 'no-message', title: 'has no message', by: 'body', make: member('message', undefined) },
  { id: 'no-status', title: 'has no status', by: 'body', make: member('status', undefined) },
  { id: 'code-number', title: 'has a number as code', by: 'body', make: member('code', '1001') },
  { id: 'message-null', title: 'has null as message', by: 'body', make: member('message', 'null') },
  {
    id: 'message-object',
    title: 'has an object as message',
    by: 'body',
    make: member('message', '{"en":"no"}'),
  },
  {
    id: 'status-string',
    title: 'has a string as status',
    by: 'body',
    make: which => errorsChanged(which, (members, { status }) => ({ ...members, status: `"${status}"` })),
  },
  { id: 'status-other', title: 'has status 500 in its body', by: 'body', make: member('status', '500') },
  {
    id: 'nested',
    title: 'is wrapped in a member error',
    by: 'body',
    make: whole(answer => withBody(answer, `{"error":${text(answer)}}`)),
  },
  {
    id: 'listed',
    title: 'is an array of errors',
    by: 'body',
    make: whole(answer => withBody(answer, `[${text(answer)}]`)),
  },
  { id: 'empty', title: 'has an empty body', by: 'body', make: whole(answer => withBody(answer, '')) },
  {
    id: 'broken-json',
    title: 'has a body with a trailing comma',
    by: 'body',
    make: whole(answer => withBody(answer, text(answer).replace(/\}$/, ',}'))),
  },
  {
    id: 'html',
    title: 'has an HTML body',
    by: 'type',
    make: whole(answer => typed(answer, 'text/html; charset=utf-8', `<h1>${answer.status}</h1>`)),
  },
  {
    id: 'text',
    title: 'has a text body',
    by: 'type',
    make: whole(answer => typed(answer, 'text/plain', 'no')),
  },
  {
    id: 'problem-json',
    title: 'has a problem details body (RFC 9457)',
    by: 'type',
    make: whole(answer =>
      typed(
        answer,
        'application/problem+json',
        `{"type":"about:blank","title":"no","status":${answer.status}}`,
      ),
    ),
  },
  {
    id: 'bare',
    title: 'has neither a body nor a Content-Type',
    by: 'type',
    make: whole(({ body: _body, ...answer }) => withHeader(answer, 'Content-Type')),
  },
]

/** @param which ids of the faults that are wanted. Default: all */
export const misshapenErrors = (
  operation: Operation,
  status: number,
  prefix: string,
  rules: Readonly<Record<Misshapen['by'], string>>,
  which: readonly string[] = misshapen.map(({ id }) => id),
): readonly Fault[] =>
  misshapen
    .filter(({ id }) => which.includes(id))
    .map(({ id, title, by, make }) => ({
      id: `${prefix}-${id}`,
      title: `The ${status} of ${operation} ${title}`,
      breaks: [rules[by]],
      override: make({ operation, status }),
    }))
