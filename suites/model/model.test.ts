import { conformance } from '../../support/vitest/conformance.ts'
import { model } from '../index.ts'

conformance(model)
