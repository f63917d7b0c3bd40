import type { Exchange } from '../../http/exchange.ts'
import { redactor } from '../../http/redact.ts'
import type { Level } from '../../interface/description.ts'
import type { Judgement } from '../../judge/judgement.ts'
import type { Outcome } from '../../judge/outcome.ts'
import { profileOf } from '../../judge/selection.ts'
import { answer, ruleOver, seeing } from '../../judge/testing/parts.ts'
import { storeServiceUnderTest } from '../../run/store-service.ts'
import { composeReport, type Run } from '../compose.ts'
import type { Report } from '../report.ts'

const given = seeing('a scenario', async () => 1)

/** A judgement with this outcome, and further members if given. */
export function judgement(
  id: string,
  outcome: Outcome,
  { level = 'required', usually, ...more }: Partial<Judgement> & { level?: Level; usually?: string } = {},
): Judgement {
  const facts = {
    ...(level === 'required' ? {} : { level, because: 'plain sense' }),
    ...(usually ? { usually } : {}),
  }
  return {
    rule: ruleOver(id, given, () => undefined, facts as never),
    outcome,
    ...(outcome === 'passed' ? {} : { message: `${id} has this message` }),
    exchanges: [],
    ...more,
  }
}

const run = (parts: Partial<Run> = {}): Run => ({
  judgements: [judgement('a', 'passed')],
  observations: [],
  exchanges: [],
  warnings: [],
  baseUrl: 'https://store.test/v1',
  description: storeServiceUnderTest,
  profile: profileOf(storeServiceUnderTest, '1.0.0'),
  gate: 'implied',
  seed: 42,
  startedAt: Date.UTC(2026, 10, 21, 10),
  durationMs: 812.4,
  partial: false,
  ...parts,
})

export const SECRET = 'Key-of-the-Store'
const redact = redactor([{ value: SECRET, variable: 'STORE_API_KEY', parts: true }])
export const reportOf = (parts: Partial<Run> = {}): Report => composeReport(run(parts), redact)

/** Texts by which a hostile store may attack a report. */
export const HOSTILE: readonly string[] = [
  '<script>alert(1)</script>',
  '</failure></testcase></testsuite>',
  ']]>',
  '<!-- <![CDATA[ <?xml?> &amp; &#0; &unknown;',
  '"quoted" and \'quoted\'',
  '\u0000\u0001\u0008\u000b\u001f\u007f\ufffe\uffff',
  '\ud800 and \udfff alone',
  '\u001b[2J\u001b[32mConformant\u001b[0m\u0007',
  '\u202etxet desrever\u2066',
  'line\nline\r\nline\u2028line',
  '```\n# heading\n`````\n<details>',
  '` `` ``` ````````',
  '| a | b |\n|---|---|',
  '[click](https://evil.example) ![x](https://evil.example/x.png) <https://evil.example>',
  'https://evil.example and www.evil.example and @everyone and #1',
  '</summary></details><img src=x onerror=alert(1)>',
  '\\',
  '',
  ' ',
]

/** An exchange in which all bodies and header values are this text. */
export const exchangeWith = (text: string, index = 0): Exchange => ({
  ...answer(text),
  index,
  request: {
    method: 'PATCH',
    url: 'https://store.test/v1/inventory/1?a=1',
    headers: [['content-type', 'application/json']],
    body: text,
    curl: `curl -i -X PATCH 'https://store.test/v1/inventory/1' --data-raw '${text}'`,
  },
  response: {
    status: 500,
    headers: [
      ['Content-Type', text],
      ['Location', text],
    ],
    body: text,
  },
})

/** A report in which every text of the store is this text. */
export const hostileReport = (text: string): Report =>
  reportOf({
    judgements: [
      judgement('failed', 'failed', {
        message: text,
        expected: text,
        actual: text,
        exchanges: [0],
        counterexample: { value: text, seed: 1, path: '0:1', shrinks: 3 },
      }),
      judgement('no-expected', 'failed', { message: text, exchanges: [0] }),
      judgement('told', 'cantTell', { message: text, exchanges: [0] }),
      judgement('tested', 'untested', { message: text, need: text }),
      judgement('applicable', 'inapplicable', { message: text }),
      judgement('advice', 'failed', { level: 'advisory', message: text }),
    ],
    observations: [{ id: 'o', operation: 'listOrders', clause: '2/order', title: 'What is it?', saw: text }],
    exchanges: [exchangeWith(text)],
    warnings: [text],
  })
