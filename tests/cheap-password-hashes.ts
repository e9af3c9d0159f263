import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

// Vitest runs this file before each test file. Computing a password hash of the real cost takes 25 ms of a
// processor or more, and the unit tests compute tens of thousands of hashes. So they compute hashes of a much
// lower cost. The text of a hash still names the real cost. A test file that must check or measure real
// hashes calls `realCost` before it imports the app.

type Argon2 = typeof crypto.argon2

const builtin = crypto as { argon2: Argon2 }
const realArgon2 = builtin.argon2
const cheapArgon2: Argon2 = (algorithm, parameters, callback) =>
  realArgon2(algorithm, { ...parameters, memory: Math.min(parameters.memory, 64), passes: 1 }, callback)

/** Makes the code that is imported from now on compute password hashes of the real cost. */
export const realCost = () => replaceArgon2(realArgon2)

replaceArgon2(cheapArgon2)

function replaceArgon2(argon2: Argon2) {
  builtin.argon2 = argon2
  syncBuiltinESMExports()
}
