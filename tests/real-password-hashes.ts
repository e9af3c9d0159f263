import { enableRealPasswordHashCostInTests } from './cheap-password-hashes.ts'

// A test file that imports this file before the app computes password hashes of the real cost.
enableRealPasswordHashCostInTests()
