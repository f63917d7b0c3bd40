import { conformance } from '../../support/embed/vitest/conformance.ts'

conformance('list-orders')
