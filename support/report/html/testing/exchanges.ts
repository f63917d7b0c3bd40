import type { Exchange } from '../../../http/exchange.ts'

/** An exchange whose response has `body` as its body and in a header. */
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

/** Bodies by which a store may try to attack a report or its reader. */
export const hostileBodies = {
  'ends the script': `</script></style></textarea></title><script>document.title='owned'</script>`,
  'breaks out of an attribute': `" onmouseover="alert(1)" x='<img src=x onerror=alert(1)>`,
  'loads from elsewhere': `<img src="https://evil.example/i.png"><link rel=stylesheet href=//evil.example/s.css><iframe src=https://evil.example>`,
  'is an entity': '&lt;script&gt;alert(1)&lt;/script&gt; &amp;',
  'is a comment': '<!-- --><!--><![CDATA[',
  'controls a terminal': 'a\u001b[2J\u001b[1;32mPASSED\u001b[0m\u0007\u009b31m',
  'changes the text direction': 'user\u202e gnirts \u2066x\u2069\u200f',
  'hides characters': 'pass\u200bed\ufeff\u00ad\u2060\u{e0041}\u00a0\u3000',
  'is half a character': 'a\ud800b\udc00c',
  'is one long line': `{"a":"${'x'.repeat(1_000_000)}"}`,
  'is one long line that is not JSON': 'y'.repeat(1_000_000),
  'is deeply nested': `${'['.repeat(150)}1${']'.repeat(150)}`,
  'stacks combining marks': `Z${'\u0351'.repeat(400)}`,
  'has unusual numbers and names': '{"id":9007199254740993,"id":5.0,"q":5e0,"__proto__":{"x":-0}}',
} as const
