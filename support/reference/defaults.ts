import { answering } from './answering.ts'
import { authentication } from './authentication.ts'
import { cancelling } from './cancelling.ts'
import type { Decisions } from './decisions.ts'
import { dispatching } from './dispatching.ts'
import { listing } from './listing.ts'
import { provisioning } from './provisioning.ts'
import { rendering } from './rendering.ts'
import { updating } from './updating.ts'

/** The decisions of a store that conforms to the interface. */
export const defaults: Decisions = {
  ...authentication,
  ...dispatching,
  ...cancelling,
  ...updating,
  ...listing,
  ...rendering,
  ...answering,
  ...provisioning,
}
