import { conformance } from '../../support/vitest/conformance.ts'

conformance('list-orders')
