import { conformance } from '../../support/vitest/conformance.ts'
import { everyExchange } from '../index.ts'

conformance(everyExchange)
