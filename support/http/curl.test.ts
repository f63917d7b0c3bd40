import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { badCredentials } from '../../suites/authentication/credentials.ts'
import { type Credential, theKey } from '../access/credential.ts'
import { type CurlRequest, curl } from './curl.ts'
import { httpServer } from './testing/servers.ts'

interface Received {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly authorization: string | undefined
  readonly apiKey: string | string[] | undefined
  readonly type: string | undefined
  readonly body: string
}

/** Runs the command in a shell, and returns the request that arrived. */
async function typed(
  request: Omit<CurlRequest, 'url'> & { readonly target: string },
  { key = 'Key-of-the-Store', shell = 'bash', revoked = 'Old-Key' } = {},
): Promise<{ received: Received; command: string }> {
  let received: Received | undefined
  const origin = await httpServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming
      .on('data', chunk => chunks.push(chunk))
      .on('end', () => {
        received = {
          method: incoming.method,
          url: incoming.url,
          authorization: incoming.headers.authorization,
          apiKey: incoming.headers['x-api-key'],
          type: incoming.headers['content-type'],
          body: Buffer.concat(chunks).toString('utf8'),
        }
        response.end('{}')
      })
  })
  const command = curl({ ...request, url: origin + request.target })
  const env = { PATH: process.env['PATH'], STORE_API_KEY: key, STORE_REVOKED_API_KEY: revoked }
  await promisify(execFile)(shell, ['-c', `${command} --silent --noproxy '*' --max-time 20`], { env })
  if (!received) throw new Error(`nothing arrived from ${command}`)
  return { received, command }
}

const bearer = ['-H', '"Authorization: Bearer $STORE_API_KEY"']
const plain = { headers: [], credential: bearer }

describe('the same request arrives', () => {
  it.each([
    ['GET', '/v1/store/orders'],
    ['DELETE', '/v1/store/orders/9007199254740993'],
    ['DELETE', '/v1/store/orders/%2F..%2f'],
    ['DELETE', '/v1/store/orders/../12'],
    ['DELETE', "/v1/store/orders/12'or'1"],
    ['DELETE', '/v1/store/orders/$HOME`id`$(id)'],
    ['GET', '/v1/store/orders?limit=1&filter[status]=sold&a={1,2}&x=[1-3]'],
    ['PROPFIND', '/v1/inventory'],
  ])('%s %s', async (method, target) => {
    const { received } = await typed({ ...plain, method, target }, { shell: 'sh' })
    expect(received).toMatchObject({
      method,
      url: target,
      authorization: 'Bearer Key-of-the-Store',
      body: '',
    })
  })

  it.each([
    '{"quantity":5}',
    '{"quantity":9007199254740993}',
    "it's",
    '"double"',
    '$STORE_API_KEY ${HOME} `id` $(id) \\n !! \\',
    'two\nlines\r\nand a tab\t',
    '@/etc/hostname',
    '',
    'ä€😀',
    '&a=b+c%20',
    '-H',
  ])('a body of %j', async body => {
    const json = [['content-type', 'application/json']] as const
    const { received } = await typed(
      { ...plain, method: 'PATCH', target: '/', headers: json, body },
      { shell: 'sh' },
    )
    expect(received).toMatchObject({ method: 'PATCH', body, type: 'application/json' })
  })

  it('a body without a Content-Type gets none', async () => {
    const { received } = await typed({ ...plain, method: 'PATCH', target: '/', body: '{}' })
    expect(received.type).toBeUndefined()
    expect(received.body).toBe('{}')
  })

  it('an empty header stays a header', async () => {
    const { received } = await typed({
      ...plain,
      method: 'GET',
      target: '/',
      headers: [['content-type', '']],
    })
    expect(received.type).toBe('')
  })
})

describe('credentials', () => {
  const present = async (credential: Credential, key: string) => {
    const presented = credential.make(key, { revokedApiKey: 'Old-Key' })
    if (!presented) throw new Error(`${credential.name} cannot be made from ${key}`)
    const { received, command } = await typed(
      {
        method: 'GET',
        target: '/',
        headers: [],
        credential: presented.shell,
      },
      { key },
    )
    return { received, command, presented }
  }

  it.each([theKey, ...badCredentials])('$name: what is typed is what was sent', async credential => {
    const key = 'Key-of-0-the-Store0'
    const { received, command, presented } = await present(credential, key)
    const sent = Object.fromEntries(presented.headers)
    expect(received.authorization).toBe(sent['Authorization'])
    expect(received.apiKey).toBe(sent['X-API-Key'])
    expect(received.url).toBe(presented.query === undefined ? '/' : `/?${presented.query}`)
    expect(command.toLowerCase()).not.toContain(key.toLowerCase().slice(1, -1))
  })

  it.each(['ends-in-0', 'ends-in-A', 'ends-in-w', 'ends-in--'])(
    'a key of equal length as %j is typed as it was sent',
    async key => {
      const [other] = badCredentials.filter(({ name }) => name === 'equal-length-key')
      const { received, presented } = await present(other as Credential, key)
      expect(presented.headers).toEqual([['Authorization', received.authorization]])
    },
  )

  it.each(['a\'b"c$d`e\\f*g h', '$STORE_API_KEY', '!x;y|z&'])(
    'a key of %j is not read by the shell',
    async key => {
      const { received } = await present(theKey, key)
      expect(received.authorization).toBe(`Bearer ${key}`)
    },
  )
})
