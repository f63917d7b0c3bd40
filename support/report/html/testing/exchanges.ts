import type { Exchange } from '../../../http/exchange.ts'

/** An exchange in which the store says `body`, in its body, a header and the reason of its failure. */
export function exchangeWith(
  index: number,
  body = '{"code":"shipped","message":"no","status":409}',
): Exchange {
  const url = `https://store.example/v1/store/orders/${1000 + index}`
  return {
    index,
    scenario: 'shipped orders, cancelled',
    step: 'a shipped order',
    operation: 'cancelOrder',
    request: {
      method: 'DELETE',
      url,
      headers: [
        ['authorization', 'Bearer $STORE_API_KEY'],
        ['accept', 'application/json'],
        ['user-agent', 'store-conformance'],
      ],
      curl: `curl -i -X DELETE --path-as-is '${url}' -H "Authorization: Bearer $STORE_API_KEY"`,
    },
    response: {
      status: 200,
      headers: [
        ['Content-Type', 'application/json'],
        ['X-Said', body.slice(0, 2_000)],
        ['Date', 'Sat, 21 Nov 2026 10:00:00 GMT'],
      ],
      body,
    },
    connection: 'fresh',
    startedAt: Date.UTC(2026, 10, 21, 10),
    durationMs: 12,
    waitedMs: 11,
  }
}

/** What a store may send to harm who reads about it, by what it tries. */
export const hostileBodies = {
  'ends the script': `</script></style></textarea></title><script>document.title='owned'</script>`,
  'breaks out of an attribute': `" onmouseover="alert(1)" x='<img src=x onerror=alert(1)>`,
  'loads from elsewhere': `<img src="https://evil.example/i.png"><link rel=stylesheet href=//evil.example/s.css><iframe src=https://evil.example>`,
  'is an entity': '&lt;script&gt;alert(1)&lt;/script&gt; &amp;',
  'is a comment': '<!-- --><!--><![CDATA[',
  'steers a terminal': 'a\u001b[2J\u001b[1;32mPASSED\u001b[0m\u0007\u009b31m',
  'turns the direction': 'user\u202e gnirts \u2066x\u2069\u200f',
  'hides characters': 'pass\u200bed\ufeff\u00ad\u2060\u{e0041}\u00a0\u3000',
  'is half a character': 'a\ud800b\udc00c',
  'is one long line': `{"a":"${'x'.repeat(1_000_000)}"}`,
  'is a long line that is no JSON': 'y'.repeat(1_000_000),
  'is deep': `${'['.repeat(150)}1${']'.repeat(150)}`,
  'stacks marks': `Z${'\u0351'.repeat(400)}`,
  'has numbers like no other': '{"id":9007199254740993,"id":5.0,"q":5e0,"__proto__":{"x":-0}}',
} as const
