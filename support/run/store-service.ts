import { suites } from '../../suites/index.ts'
import { storeService } from '../interface/store-service.ts'
import type { InterfaceUnderTest } from '../judge/interface.ts'

/** The Store Service Interface with its suites: what this program tests. */
export const storeServiceUnderTest: InterfaceUnderTest = { ...storeService, suites }
