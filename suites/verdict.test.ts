import { verdict } from '../support/embed/vitest/conformance.ts'

verdict()
