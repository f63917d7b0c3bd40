import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { settingsSchema } from '../../settings/schema.ts'
import { nameOf, type RawSettings, type SettingName, valuesOf } from '../../settings/settings.ts'
import { UsageError } from '../usage.ts'

/** Asks the user a question. The answer to a secret one is not shown. */
export type Ask = (question: string, secret: boolean) => Promise<string>

interface Question {
  readonly name: SettingName
  readonly text: string
  readonly optional: boolean
  readonly secret?: boolean
}

const questions: readonly Question[] = [
  { name: 'baseUrl', text: 'Address of the store, with its version prefix', optional: false },
  { name: 'apiKey', text: 'API key (not shown)', optional: false, secret: true },
  { name: 'statesUrl', text: 'Provider states endpoint (empty: none)', optional: true },
  { name: 'statesToken', text: 'Bearer token for it (not shown; empty: none)', optional: true, secret: true },
  {
    name: 'pendingOrders',
    text: 'Orders that may be cancelled, comma-separated (empty: none)',
    optional: true,
  },
  { name: 'shippedOrders', text: 'Orders that have shipped, comma-separated (empty: none)', optional: true },
  {
    name: 'pets',
    text: 'Pets whose stock may be changed and is restored, or any (empty: none)',
    optional: true,
  },
]

/** With provider states, no ids have to be named. Without an endpoint, no token is needed. */
function isUnneeded({ name }: Question, given: RawSettings): boolean {
  const arranged = Boolean(given.statesUrl || given.statesModule)
  if (name === 'statesToken') return !given.statesUrl
  if (name === 'statesUrl') return arranged
  return arranged && ['pendingOrders', 'shippedOrders', 'pets'].includes(name)
}

/** Asks for each setting that is missing, until the answer is valid. */
export async function asked(
  given: RawSettings,
  ask: Ask,
  complain: (text: string) => void,
): Promise<RawSettings> {
  let settings = given
  for (const question of questions) {
    const { name, text, optional, secret = false } = question
    if (settings[name] !== undefined || isUnneeded(question, settings)) continue
    // --api-key-file provides the key.
    if (name === 'apiKey' && settings.apiKeyFile !== undefined) continue
    const answer = await untilValid(name, () => ask(text, secret), optional, complain)
    if (answer !== '') settings = { ...settings, [name]: answer }
  }
  return settings
}

async function untilValid(
  name: SettingName,
  ask: () => Promise<string>,
  optional: boolean,
  complain: (text: string) => void,
): Promise<string> {
  for (;;) {
    const answer = (await ask()).trim()
    if (answer === '' && optional) return ''
    const checked = settingsSchema.shape[name].safeParse(valuesOf({ [name]: answer })[name])
    if (answer !== '' && checked.success) return answer
    complain(
      answer === ''
        ? 'A value is required.'
        : `${nameOf(name)}: ${checked.error?.issues.map(each => each.message).join('; ')}`,
    )
  }
}

/** Asks at the terminal. Ctrl-C and Ctrl-D end the command. */
export function terminal(): { ask: Ask; close(): void } {
  let hidden = false
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!hidden) process.stderr.write(chunk)
      done()
    },
  })
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  const ended = new AbortController()
  lines.once('close', () => ended.abort())
  return {
    async ask(question, secret) {
      const prompt = `${question}: `
      // Readline redraws the whole line, with the prompt, at each key. So the prompt is printed here and all else hidden.
      if (secret) process.stderr.write(prompt)
      hidden = secret
      try {
        return await lines.question(prompt, { signal: ended.signal })
      } catch {
        throw new UsageError('Nothing was written.')
      } finally {
        hidden = false
        if (secret) process.stderr.write('\n')
      }
    },
    close: () => lines.close(),
  }
}
