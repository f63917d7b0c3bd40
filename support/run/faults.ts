/** The faults that prove the rules. */
export { generatedFault } from '../../suites/contexts/faults/generated.ts'
export { faults } from '../../suites/faults.ts'
