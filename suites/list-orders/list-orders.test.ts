import { conformance } from '../../support/vitest/conformance.ts'
import { listOrders } from '../index.ts'

conformance(listOrders)
