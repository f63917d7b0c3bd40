/** The faults that prove the rules. */
export { faults } from '../../suites/faults.ts'
export { generatedFault } from '../../suites/model/faults/generated.ts'
