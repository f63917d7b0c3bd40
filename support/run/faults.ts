/** The proofs of the suites: faults that rules must detect. */
export { faults } from '../../suites/faults.ts'
