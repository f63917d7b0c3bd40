import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { characterEncodings, packedEncodings } from '../../http/testing/encodings.ts'
import type { Ended } from './command.ts'

/** Every form of a secret that no output may contain. Built without the redaction code, to test it independently. */
function forms(secret: string): ReadonlySet<string> {
  const parts = [secret, secret.slice(0, -1), secret.slice(1)]
  const written = [
    ...Object.values({ ...characterEncodings, ...packedEncodings }).map(encode => encode(secret)),
    ...parts.flatMap(part => [
      part,
      encodeURIComponent(part),
      ...[0, 1, 2].flatMap(offset => {
        const plain = withinBase64(part, offset)
        return [plain, plain.replaceAll('+', '-').replaceAll('/', '_')]
      }),
    ]),
  ]
  // Also as a report in JSON or HTML writes it.
  return new Set(
    [...written, ...written.map(characterEncodings.json), ...written.map(characterEncodings.html)].map(form =>
      form.toLowerCase(),
    ),
  )
}

/** The part of a base64 text that depends only on the secret, not on the bytes around it. */
function withinBase64(secret: string, offset: number): string {
  const encode = (around: string) =>
    Buffer.from(around.repeat(offset) + secret + around.repeat(3)).toString('base64')
  const [one, other] = [encode('\u0000'), encode('\u007f')]
  const same = [...one].map((each, at) => (each === other[at] ? each : ' ')).join('')
  return same.split(' ').reduce((longest, run) => (run.length > longest.length ? run : longest), '')
}

/** Finds secrets in the streams of a command and in the files that it wrote. @param given files of the test itself */
export function leaksOf(ended: Ended, secrets: readonly string[], given: readonly string[] = []): string[] {
  const outputs = new Map<string, Buffer>([
    ['stdout', Buffer.from(ended.stdout)],
    ['stderr', Buffer.from(ended.stderr)],
  ])
  for (const name of readdirSync(ended.folder, { recursive: true }) as string[]) {
    const path = join(ended.folder, name)
    if (statSync(path).isFile() && !given.includes(name)) outputs.set(name, readFileSync(path))
  }
  const searched = secrets.map(forms)
  return [...outputs].flatMap(([name, bytes]) => {
    const text = bytes.toString('latin1').toLowerCase()
    return searched.flatMap((each, at) =>
      [...each].filter(form => text.includes(form)).map(form => `${name}: secret ${at + 1} as ${form}`),
    )
  })
}
