import { encodings, formsOf, partsOf, thirdOf } from '../../http/testing/encodings.ts'
import { type Ended, everythingIn } from './bench.ts'

/** Shorter forms are in many texts by chance. */
const SHORTEST_FORM = 5

const all = Object.values(encodings)

/** What no output may contain of a key: any part of a third of it, and the key or half of it in one encoding inside another. */
function searched(key: string): string[] {
  const parts = partsOf(key, thirdOf(key))
  // Base64 of the first bits of a character is also that of other characters.
  const longer = partsOf(key, thirdOf(key) + 1)
  const forms = [
    ...[key.toUpperCase(), key.toLowerCase()],
    ...longer.flatMap(part => all.flatMap(encode => formsOf(encode, part))),
    ...[key, key.slice(0, key.length / 2)].flatMap(text =>
      all.flatMap(outer => all.flatMap(inner => formsOf(each => outer(inner(each)), text))),
    ),
  ]
  return [...parts, ...new Set(forms.filter(form => form.length >= SHORTEST_FORM))]
}

/** Finds keys in the streams of a command and in the files that it left. @param given files of the test itself */
export function leaksOf(ended: Ended, keys: readonly string[], given: readonly string[] = []): string[] {
  const outputs = [
    { path: 'stdout', text: ended.stdout },
    { path: 'stderr', text: ended.stderr },
    ...everythingIn(ended.folder).filter(({ path }) => !given.some(name => path.endsWith(name))),
  ]
  const forms = keys.flatMap(searched)
  const short = forms.filter(form => form.length < SHORTEST_FORM)
  const long = new Map<string, string[]>()
  for (const form of forms.filter(each => each.length >= SHORTEST_FORM)) {
    const beginning = form.slice(0, SHORTEST_FORM)
    long.set(beginning, [...(long.get(beginning) ?? []), form])
  }
  return outputs.flatMap(({ path, text }) => {
    const found = new Set(short.filter(form => text.includes(form)))
    for (let at = 0; at < text.length; at += 1)
      for (const form of long.get(text.slice(at, at + SHORTEST_FORM)) ?? [])
        if (text.startsWith(form, at)) found.add(form)
    return [...found].map(form => `${path}: ${form}`)
  })
}
