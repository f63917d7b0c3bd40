import { type SenderOptions, sender } from '../../access/sender.ts'
import type { Exchange, Header, Problem, RecordedResponse } from '../../http/exchange.ts'
import type { Transport, WireRequest, WireResult } from '../../http/transport.ts'
import { type ClientParts, type StoreClient, storeClient } from '../client.ts'
import { type Consent, consent } from '../consent.ts'

export type FakeReply =
  | { readonly status: number; readonly headers?: readonly Header[]; readonly body?: string }
  | Problem

export const json = (value: unknown, status = 200): FakeReply => ({
  status,
  headers: [['Content-Type', 'application/json']],
  body: typeof value === 'string' ? value : JSON.stringify(value),
})

export const html = (status = 200): FakeReply => ({
  status,
  headers: [['Content-Type', 'text/html; charset=utf-8']],
  body: '<!doctype html><title>Not a store</title>',
})

/** A store that is a function, and every request that reached it. */
export interface FakeStore {
  readonly transport: Transport
  readonly requests: readonly WireRequest[]
  /** `DELETE /v1/store/orders/1`, in order. */
  readonly asked: readonly string[]
}

export function fakeStore(
  answer: (request: WireRequest, nth: number) => FakeReply | Promise<FakeReply>,
): FakeStore {
  const requests: WireRequest[] = []
  const send = async (request: WireRequest): Promise<WireResult> => {
    requests.push(request)
    const reply = await answer(request, requests.length)
    if ('kind' in reply) return { problem: reply, connection: 'pool', waitedMs: 0 }
    const { status, headers = [], body = '' } = reply
    return { response: { status, headers, body }, connection: 'pool', waitedMs: 0 }
  }
  return {
    requests,
    get asked() {
      return requests.map(({ method, target }) => `${method} ${target}`)
    },
    transport: {
      origin: 'https://store.test',
      connect: () => ({ send, strayBytes: false, close: async () => {} }),
    },
  }
}

/** A client to a fake store, and what it recorded. */
export function clientTo(
  store: Pick<FakeStore, 'transport'>,
  parts: Partial<ClientParts & SenderOptions> = {},
): {
  readonly client: StoreClient
  readonly permission: Consent
  readonly recorded: readonly Exchange[]
  closeAll(): Promise<void>
} {
  const permission = parts.consent ?? consent(false)
  const { transport } = store
  const sending = sender({
    transport,
    baseUrl: 'https://store.test/v1',
    apiKey: 'Key-of-the-Store',
    concurrency: 4,
    ...parts,
  })
  const client = storeClient({
    scenario: 'a scenario',
    sender: sending,
    consent: permission,
    ...parts,
  })
  return { client, permission, recorded: sending.exchanges, closeAll: sending.closeAll }
}

/** A client to a store that is this function. */
export function clientOf(answer: Parameters<typeof fakeStore>[0], parts?: Parameters<typeof clientTo>[1]) {
  const store = fakeStore(answer)
  return { store, ...clientTo(store, parts) }
}

/** A list of elements with these ids. Undefined stands for an element without one. */
export const listing = (idName: string, ids: readonly (string | undefined)[]): RecordedResponse => ({
  status: 200,
  headers: [],
  body: `[${ids.map(id => (id === undefined ? '{}' : `{"${idName}":${/^-?[0-9.]+$/.test(id) ? id : JSON.stringify(id)}}`)).join(',')}]`,
})
