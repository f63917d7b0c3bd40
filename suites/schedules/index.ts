import type { Schedule } from '../acts.ts'
import { folders } from '../index.ts'
import type { Rule } from '../rule.ts'
import { bodies } from '../update-inventory/bodies.ts'
import { after } from './after.ts'
import { beside, histories } from './clients.ts'
import { data, sizes } from './data.ts'
import { form } from './form.ts'
import { chosen, ids } from './ids.ts'
import { keys } from './keys.ts'
import { caches, queries } from './lists.ts'
import { end, plain } from './plain.ts'

/** What a run sends, one schedule after the other. */
export const schedules: readonly Schedule[] = [
  ...[plain, keys, bodies, ids, queries, caches, form],
  ...[after, beside, data, histories, chosen, end, sizes],
]

/** What has to be sent to judge these rules, in order. */
export function schedulesFor(wanted: readonly { readonly id: string }[]): readonly Schedule[] {
  const ids = new Set(wanted.map(({ id }) => id))
  const isShown = ({ shows, context }: Schedule, folder: string, { id, judges }: Rule) =>
    ids.has(id) &&
    (folder === 'every-answer' ||
      shows?.includes(folder) ||
      (folder === 'contexts' && judges.some(each => each.context === context)))
  return schedules.filter(
    each =>
      each === plain ||
      Object.entries(folders).some(([folder, rules]) => rules.some(rule => isShown(each, folder, rule))),
  )
}
