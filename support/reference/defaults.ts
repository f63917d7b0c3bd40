import { admission } from './admission.ts'
import { answering } from './answering.ts'
import { cancelling } from './cancelling.ts'
import { course } from './course.ts'
import type { Decisions } from './decisions.ts'
import { holding } from './holding.ts'
import { listing } from './listing.ts'
import { rendering } from './rendering.ts'
import { updating } from './updating.ts'

/** The decisions of a store that keeps the interface. */
export const defaults: Decisions = {
  ...admission,
  ...course,
  ...cancelling,
  ...updating,
  ...listing,
  ...rendering,
  ...answering,
  ...holding,
}
