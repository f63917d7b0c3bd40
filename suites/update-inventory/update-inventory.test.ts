import { conformance } from '../../support/vitest/conformance.ts'
import { updateInventory } from '../index.ts'

conformance(updateInventory)
