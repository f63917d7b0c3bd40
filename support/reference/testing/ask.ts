import type { ReferenceStore } from '../store.ts'

export interface Question {
  /** `null`: no Authorization at all. By default the store's own key. */
  readonly authorization?: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Calls a store in process: `ask(store, 'DELETE /store/orders/12')`. */
export const ask = async (
  store: ReferenceStore,
  call: string,
  { authorization = `Bearer ${store.apiKey}`, headers = {}, body }: Question = {},
): Promise<Reply> => {
  const [method = 'GET', path = '/'] = call.split(' ')
  const request = new Request(`http://store.test/v1${path}`, {
    method,
    headers: {
      ...(authorization === null ? {} : { authorization }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  })
  const response = await store.fetch(request)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** The same call, if a test needs only the status. */
export const status = async (store: ReferenceStore, call: string, question?: Question): Promise<number> =>
  (await ask(store, call, question)).status

export const text = async (store: ReferenceStore, call: string, question?: Question): Promise<string> =>
  (await ask(store, call, question)).text

// biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of the body it expects
export const json = async (store: ReferenceStore, call: string, question?: Question): Promise<any> =>
  JSON.parse(await text(store, call, question))
