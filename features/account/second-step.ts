import type { AppContext } from '#core/context.ts'
import { foldCase } from '#core/contract.ts'
import type { Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { RequestContext } from '#core/http/endpoints.ts'
import { tooManyRequestsError } from '#core/http/rate-limits.ts'
import { lockAccount } from '#features/people/credentials.ts'
import { findDeviceLogInAttemptKey } from '#features/people/device-cookies.ts'
import { createLogInAttemptCounter } from '#features/people/log-in-attempts.ts'
import { recordSecurityEvent } from '#features/people/security-log.ts'
import { deleteLogInChallengesOf } from './log-in-challenges.ts'
import { consumeOneTimeCode, deleteOneTimeSecret } from './one-time-codes.ts'
import { consumeRecoveryCode, hashRecoveryCode, recordRecoveryCodeUse } from './recovery-codes.ts'
import type { secondStepEndpoints } from './second-step-contract.ts'

type ProofContext = Pick<
  RequestContext<(typeof secondStepEndpoints)['challenge' | 'remove']>,
  'db' | 'config' | 'publicSite' | 'session' | 'client' | 'lang'
>
interface Proof {
  code: string | null
  recovery_code: string | null
}

/** Returns a typed code without spaces and dashes. Japanese keyboards also send full-width digits. */
export const normalizeOneTimeCode = (code: string) => foldCase(code).replace(/[\s-]/g, '')

/**
 * Creates the function that checks the second step of an account. Wrong codes are counted for the account,
 * apart from wrong passwords. If the proof is right, `run` runs in the transaction that uses it up and has
 * locked the account; its result is that of the function. Throws 429 after too many wrong codes.
 */
export function createSecondStepChecker({ config, redis }: AppContext) {
  const attempts = createLogInAttemptCounter(config, redis)

  return async (context: ProofContext, user: number, proof: Proof, run: (tx: Tx) => Promise<boolean>) => {
    // A browser that the owner has used has a counter of its own, as for passwords.
    const device = findDeviceLogInAttemptKey(config, context.session.devices, user)
    const key = `second step ${device ?? `of ${user}`}`
    const wait = await attempts.begin(key)
    if (wait) throw tooManyRequestsError(Math.max(1, Math.ceil(Math.round(wait) / 1000)))
    const check = async () => {
      const hashed = await hashProof(context, user, proof)
      return transaction(context.db, async (tx) => {
        await lockAccount(tx, user)
        return (await consumeProof(context, tx, user, hashed)) && run(tx)
      })
    }
    const isRight = await check().catch(async (error: unknown) => {
      await attempts.cancel(key)
      throw error
    })
    if (isRight) await attempts.succeed(key)
    return isRight
  }
}

export type CheckSecondStep = ReturnType<typeof createSecondStepChecker>

/** Returns the field of the input to which the error of a wrong proof belongs. */
export const toProofField = ({ recovery_code }: Pick<Proof, 'recovery_code'>) =>
  recovery_code ? 'recovery_code' : 'code'

/** Replaces a recovery code by its hash, which takes too long for a transaction. */
async function hashProof({ db, client }: ProofContext, user: number, { code, recovery_code }: Proof) {
  if (code || !recovery_code) return { code, recovery_hash: null }
  return { code, recovery_hash: await hashRecoveryCode(db, user, recovery_code, client.network) }
}

async function consumeProof(
  context: ProofContext,
  tx: Tx,
  user: number,
  { code, recovery_hash }: Awaited<ReturnType<typeof hashProof>>,
) {
  if (code) return consumeOneTimeCode(context.config, tx, user, normalizeOneTimeCode(code))
  if (!recovery_hash || !(await consumeRecoveryCode(tx, user, recovery_hash))) return false
  await recordRecoveryCodeUse(context, tx, user)
  return true
}

/**
 * Turns the second step of an account off, in the transaction of the caller, and records it. With `since`,
 * only if it was turned on at that time or later. Returns false if it was off.
 */
export async function removeSecondStep(
  tx: Tx,
  user: number,
  details: { network?: string; actor_id?: number },
  since?: string,
) {
  if (!(await deleteOneTimeSecret(tx, user, since))) return false
  await deleteLogInChallengesOf(tx, user)
  await recordSecurityEvent(tx, user, 'second_step_removed', details)
  return true
}
