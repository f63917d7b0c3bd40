/** The proofs of the suites: faults that rules must detect, and freedoms that no gating rule may reject. */
export { faults } from '../../suites/faults.ts'
export { freedoms } from '../reference/freedoms/index.ts'
