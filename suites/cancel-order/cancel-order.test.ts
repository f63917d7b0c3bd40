import { conformance } from '../../support/vitest/conformance.ts'
import { cancelOrder } from '../index.ts'

conformance(cancelOrder)
