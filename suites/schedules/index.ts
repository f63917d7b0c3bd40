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

/** The schedules, and the folders of rules that each of them shows. Rules about a context are shown by the schedules of that context. */
const SHOWN: ReadonlyMap<Schedule, readonly string[]> = new Map([
  [plain, []],
  [keys, ['authentication']],
  [bodies, ['update-inventory']],
  [ids, ['cancel-order', 'update-inventory']],
  [queries, ['list-orders']],
  [caches, ['authentication', 'list-orders', 'list-inventory']],
  [form, ['cancel-order', 'update-inventory']],
  [after, []],
  [beside, ['cancel-order']],
  [data, ['list-orders', 'cancel-order']],
  [histories, []],
  [chosen, ['list-orders', 'cancel-order']],
  [end, []],
  [sizes, ['list-orders', 'list-inventory']],
])

/** What a run sends, one schedule after the other. */
export const schedules: readonly Schedule[] = [...SHOWN.keys()]

/** What has to be sent to judge these rules, in order. */
export function schedulesFor(wanted: readonly { readonly id: string }[]): readonly Schedule[] {
  const ids = new Set(wanted.map(({ id }) => id))
  const isShown = (schedule: Schedule, folder: string, { id, judges }: Rule) =>
    ids.has(id) &&
    (folder === 'every-answer' ||
      SHOWN.get(schedule)?.includes(folder) ||
      (folder === 'contexts' && judges.some(({ context }) => context === schedule.context)))
  return schedules.filter(
    each =>
      each === plain ||
      Object.entries(folders).some(([folder, rules]) => rules.some(rule => isShown(each, folder, rule))),
  )
}
