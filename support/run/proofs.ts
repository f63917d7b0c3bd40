/** What proves the suites: faults that each rule must detect, and freedoms that no gating rule may punish. */
export { faults } from '../../suites/faults.ts'
export { freedoms } from '../reference/freedoms/index.ts'
