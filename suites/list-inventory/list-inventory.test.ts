import { conformance } from '../../support/vitest/conformance.ts'
import { listInventory } from '../index.ts'

conformance(listInventory)
