import type { Schedule } from '../acts.ts'
import { folders } from '../rules.ts'
import { after } from './after.ts'
import { beside } from './beside.ts'
import { bodies } from './bodies.ts'
import { caches } from './caches.ts'
import { data } from './data.ts'
import { end } from './end.ts'
import { form } from './form.ts'
import { histories } from './histories.ts'
import { ids } from './ids.ts'
import { keys } from './keys.ts'
import { plain } from './plain.ts'
import { queries } from './queries.ts'
import { chosen, sizes } from './sizes.ts'

/** What a run sends, one schedule after the other. */
export const schedules: readonly Schedule[] = [
  plain,
  keys,
  bodies,
  ids,
  queries,
  caches,
  form,
  after,
  beside,
  data,
  histories,
  chosen,
  end,
  sizes,
]

/** The schedules that show what the rules of a folder judge. Those of the contexts are found by their contexts. */
const BY_FOLDER: Readonly<Record<string, readonly Schedule[]>> = {
  authentication: [keys, caches],
  'list-orders': [queries, caches, data, chosen, sizes],
  'list-inventory': [caches, sizes],
  'cancel-order': [ids, form, beside, data, chosen],
  'update-inventory': [bodies, ids, form],
  'every-answer': schedules,
}

/** What has to be sent to judge these rules, in order. */
export function schedulesFor(wanted: readonly { readonly id: string }[]): readonly Schedule[] {
  const ids = new Set(wanted.map(({ id }) => id))
  const needed = new Set<Schedule>([plain])
  for (const [folder, rules] of Object.entries(folders))
    for (const { id, judges } of rules) {
      if (!ids.has(id)) continue
      for (const each of BY_FOLDER[folder] ??
        schedules.filter(({ context }) => judges.some(of => isIn(context, of.context))))
        needed.add(each)
    }
  return schedules.filter(each => needed.has(each))
}

const isIn = (context: Schedule['context'], all: string | readonly string[] | undefined): boolean =>
  all !== undefined && [all].flat().includes(context)
