import type { Schedule } from '../acts.ts'
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
  form,
  after,
  beside,
  data,
  caches,
  histories,
  chosen,
  end,
  sizes,
]
