import { operationIds, operations } from '../../../support/interface/operations.ts'
import {
  type Answer,
  answersChanged,
  type Fault,
  messageOf,
  type Operation,
  type Override,
  type Wire,
  withBody,
  withHeader,
  withStatus,
} from '../../../support/reference/authoring.ts'

const SEGMENT = /\{.*\}$/

/** For requests that the router refuses, which have no operation. */
const isPathOf = (id: Operation & keyof typeof operations, pathname: string): boolean => {
  const { path } = operations[id]
  const below = pathname.slice('/v1'.length)
  return SEGMENT.test(path) ? new RegExp(`^${path.replace(SEGMENT, '[^/]+')}$`).test(below) : below === path
}

const _pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

/** Changes how the response of a list is sent. */
const delivered =
  (id: Operation, deliver: (answer: Answer, wire: Wire) => void): Override =>
  base => ({
    deliver: (answer, wire, ctx) =>
      ctx.operation === id && answer.status === 200 ? deliver(answer, wire) : base.deliver(answer, wire, ctx),
  })

const lists = ['listOrders', 'listInventory'] as const

/** Faults that any operation can have. */
export const faults: readonly Fault[] = [
  ...lists.map((id): Fault => {
    const arranged = id === 'listOrders' ? 'newOrderId' : 'newPetId'
    return {
      id: `${operations[id].slug}-once-500`,
      title: `${id} answers 500 once, after the first provider state`,
      breaks: [`${operations[id].slug}-200-each-time`],
      ...(id === 'listOrders'
        ? { outOfReachWhenNamed: 'named orders are arranged before the run, and no unused id is known' }
        : {}),
      override: base => {
        let state: 'before' | 'due' | 'past' = 'before'
        return {
          [arranged]: (n: number) => {
            if (state === 'before') state = 'due'
            return base[arranged](n)
          },
          finish: async (answer, ctx) => {
            const finished = await base.finish(answer, ctx)
            if (ctx.operation !== id || finished.status !== 200 || state !== 'due') return finished
            state = 'past'
            return withStatus(finished, 500)
          },
        }
      },
    }
  }),
  ...operationIds.flatMap((id): Fault[] => [
    {
      id: `other-method-404-${operations[id].slug}`,
      title: `The path of ${id} answers other methods with 404`,
      breaks: [`other-method-405-${operations[id].slug}`],
      override: answersChanged({ operation: 'none', status: 405 }, (answer, { url }) =>
        isPathOf(id, url.pathname) ? withStatus(answer, 404) : answer,
      ),
    },
    {
      id: `no-allow-${operations[id].slug}`,
      title: `The path of ${id} answers other methods with 405 without Allow`,
      breaks: [`other-method-405-${operations[id].slug}`],
      override: answersChanged({ operation: 'none', status: 405 }, (answer, { url }) =>
        isPathOf(id, url.pathname) ? withHeader(answer, 'Allow') : answer,
      ),
    },
  ]),
  ...lists.flatMap((id): Fault[] => [
    {
      id: `${operations[id].slug}-breaks-off`,
      title: `${id} closes the connection before the announced length is sent`,
      breaks: [`${operations[id].slug}-200`],
      needsSocket: true,
      override: delivered(id, (answer, wire) => wire.raw(messageOf(answer).subarray(0, -2), 'close')),
    },
    {
      id: `${operations[id].slug}-reset`,
      title: `${id} resets the connection in the middle of the response`,
      breaks: [`${operations[id].slug}-200`],
      needsSocket: true,
      override: delivered(id, (answer, wire) => wire.raw(messageOf(answer).subarray(0, -40), 'reset')),
    },
    {
      id: `${operations[id].slug}-short-length`,
      title: `${id} announces a Content-Length that is two bytes too short`,
      breaks: [`${operations[id].slug}-json`],
      needsSocket: true,
      override: delivered(id, (answer, wire) =>
        wire.raw(
          messageOf(withHeader(answer, 'Content-Length', String((answer.body?.length ?? 0) - 2))),
          'close',
        ),
      ),
    },
    {
      id: `${operations[id].slug}-no-http`,
      title: `${id} answers with bytes that are not HTTP`,
      breaks: [`${operations[id].slug}-200`],
      needsSocket: true,
      override: delivered(id, (answer, wire) => wire.raw(answer.body ?? 'none', 'close')),
    },
    {
      id: `${operations[id].slug}-gzip-claimed`,
      title: `${id} announces gzip and sends an uncompressed body`,
      breaks: [`${operations[id].slug}-200`],
      override: answersChanged({ operation: id, status: 200 }, answer =>
        withHeader(answer, 'Content-Encoding', 'gzip'),
      ),
    },
    {
      id: `${operations[id].slug}-gzip-cut`,
      title: `${id} announces gzip and sends only two bytes`,
      breaks: [`${operations[id].slug}-200`],
      override: answersChanged({ operation: id, status: 200 }, answer =>
        withHeader(withBody(answer, Buffer.from([0x1f, 0x8b])), 'Content-Encoding', 'gzip'),
      ),
    },
  ]),
]
