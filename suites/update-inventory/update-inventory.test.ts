import { conformance } from '../../support/embed/vitest/conformance.ts'

conformance('update-inventory')
