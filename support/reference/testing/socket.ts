import { type Agent, type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import type { ServedStore } from '../serve.ts'
import type { ReferenceStore } from '../store.ts'

export interface SocketReply {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  /** The client's own port: the same port, the same connection. */
  readonly port: number | undefined
  readonly text: string
}

export const get = (
  url: string,
  store: ReferenceStore,
  agent?: Agent,
  method = 'GET',
  body?: Iterable<string>,
) =>
  new Promise<{
    status: number | undefined
    headers: IncomingHttpHeaders
    port: number | undefined
    text: string
  }>((resolve, reject) => {
    const headers = { authorization: `Bearer ${store.apiKey}` }
    const sent = request(url, { method, headers, ...(agent && { agent }) }, response => {
      const port = response.socket.localPort
      let text = ''
      response.on('data', chunk => {
        text += chunk
      })
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, port, text }),
      )
      response.on('error', reject)
    })
    sent.on('error', reject)
    for (const chunk of body ?? []) sent.write(chunk)
    sent.end()
  })

/** The response to these bytes, read until the store closes the connection. */
export const raw = (served: ServedStore, bytes: string) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(Number(new URL(served.baseUrl).port), '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.on('data', chunk => {
      text += chunk
    })
    socket.on('error', reject).on('close', () => resolve(text))
  })
