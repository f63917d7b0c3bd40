import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { nameOf, type RawSettings, type SettingName, settingNames, settingOf } from '../settings/settings.ts'
import { UsageError } from './usage.ts'

/** Asks the user a question. The answer to a secret one is not shown. */
export type Ask = (question: string, secret: boolean) => Promise<string>

/** Settings without which there is nothing to judge. */
const NEEDED: readonly SettingName[] = ['baseUrl', 'apiKey']

/** With provider states, no ids have to be named. Without an endpoint, no token is needed. */
function isUnneeded(name: SettingName, given: RawSettings): boolean {
  const arranged = Boolean(given.statesUrl || given.statesModule)
  if (name === 'apiKey') return given.apiKeyFile !== undefined
  if (name === 'statesToken') return !given.statesUrl
  if (name === 'statesUrl') return arranged
  return arranged && ['pendingOrders', 'shippedOrders', 'pets'].includes(name)
}

/** Asks for each setting that is missing, until the answer is valid. @param problemWith checks an answer at the store */
export async function asked(
  given: RawSettings,
  ask: Ask,
  complain: (text: string) => void,
  problemWith: (name: SettingName, settings: RawSettings) => Promise<string | undefined>,
): Promise<RawSettings> {
  let settings = given
  for (const name of settingNames()) {
    const { question, flag } = settingOf(name)
    if (question === undefined || settings[name] !== undefined || isUnneeded(name, settings)) continue
    const [secret, optional] = [flag === undefined, !NEEDED.includes(name)]
    const remarks = [...(secret ? ['not shown'] : []), ...(optional ? ['empty: none'] : [])]
    const text = remarks.length === 0 ? question : `${question} (${remarks.join('; ')})`
    for (;;) {
      const answer = await untilValid(name, () => ask(text, secret), optional, complain)
      if (answer === '') break
      const together = { ...settings, [name]: answer }
      const problem = await problemWith(name, together)
      if (problem === undefined) {
        settings = together
        break
      }
      complain(problem)
    }
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
    const checked = settingOf(name).schema.safeParse(answer)
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
