import {
  type Answer,
  type Fault,
  messageOf,
  type Override,
  type Wire,
} from '../../../support/reference/authoring.ts'

/** Changes the bytes that are sent for a 204. */
const delivered =
  (deliver: (answer: Answer, wire: Wire) => void): Override =>
  base => ({
    deliver: (answer, wire, ctx) =>
      answer.status === 204 ? deliver(answer, wire) : base.deliver(answer, wire, ctx),
  })

const common = { breaks: ['cancel-204-no-body'], needsSocket: true } as const

/** A 204 with a body, in several forms on the wire. */
export const faults: readonly Fault[] = [
  {
    ...common,
    id: '204-announces-body',
    title: 'A 204 has a Content-Length above 0',
    override: delivered((_answer, wire) =>
      wire.raw('HTTP/1.1 204 No Content\r\nContent-Length: 4\r\nConnection: close\r\n\r\nnull', 'close'),
    ),
  },
  {
    ...common,
    id: '204-with-null',
    title: 'A 204 is followed by null',
    override: delivered((answer, wire) =>
      wire.raw(Buffer.concat([messageOf(answer), Buffer.from('null')]), 'keep'),
    ),
  },
  {
    ...common,
    id: '204-with-order',
    title: 'A 204 is followed by the order',
    override: delivered((answer, wire) =>
      wire.raw(Buffer.concat([messageOf(answer), Buffer.from('{"id":1,"complete":false}')]), 'keep'),
    ),
  },
  {
    ...common,
    id: '204-with-chunks',
    title: 'A 204 is followed by a chunked body',
    override: delivered((answer, wire) =>
      wire.raw(
        Buffer.concat([
          messageOf({ ...answer, headers: [...answer.headers, ['Transfer-Encoding', 'chunked']] }),
          Buffer.from('2\r\n{}\r\n0\r\n\r\n'),
        ]),
        'keep',
      ),
    ),
  },
]
