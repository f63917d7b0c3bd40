import { verdict } from '../support/vitest/conformance.ts'

verdict()
