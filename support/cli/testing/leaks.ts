import { encodings, formsOf, partsOf, thirdOf } from '../../http/testing/encodings.ts'
import { type Ended, everythingIn } from './command.ts'

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
  const forms = keys.map(searched)
  return outputs.flatMap(({ path, text }) =>
    forms.flatMap((each, at) =>
      each.filter(form => text.includes(form)).map(form => `${path}: key ${at + 1} as ${form}`),
    ),
  )
}
