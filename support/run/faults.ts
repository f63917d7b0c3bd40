/** The faults that prove the rules. */

export { faults } from '../../suites/faults.ts'
export { generatedFault } from '../../suites/generated.ts'
