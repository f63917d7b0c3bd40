import { conformance } from '../../support/vitest/conformance.ts'

conformance('update-inventory')
