import { realCost } from './cheap-password-hashes.ts'

// Makes a test file compute password hashes of the real cost, if it imports this file before the app.
realCost()
