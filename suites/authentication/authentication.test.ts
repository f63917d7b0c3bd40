import { conformance } from '../../support/vitest/conformance.ts'
import { authentication } from '../index.ts'

conformance(authentication)
