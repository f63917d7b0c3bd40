export { faults } from './requests.ts'
