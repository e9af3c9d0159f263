import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { RequestContext } from '#core/http/endpoints.ts'
import { foldCaseAndWidth } from '#core/unicode.ts'
import { lockAndReadAccount } from '#features/people/credentials.ts'
import { createLogInAttemptCounter, runCountedLogInAttempt } from '#features/people/log-in-attempts.ts'
import { recordSecurityEvent } from '#features/people/security-log.ts'
import { deleteLogInsOfAccountAwaitingSecondStep } from './log-in-challenges.ts'
import { consumeOneTimeCode, deleteAuthenticatorAppSecret } from './one-time-codes.ts'
import {
  consumeRecoveryCode,
  hashRecoveryCode,
  logRecoveryCodeUseAndEnqueueSecurityMail,
} from './recovery-codes.ts'
import type { secondStepEndpoints } from './second-step-contract.ts'
import {
  clearSecondStepFailuresAndUnblock,
  recordSecondStepFailureAndBlockAtLimit,
  requireSecondStepNotBlockedByFailures,
} from './second-step-failures.ts'

type ProofContext = Pick<
  RequestContext<(typeof secondStepEndpoints)['challenge' | 'remove']>,
  'db' | 'config' | 'publicSite' | 'client' | 'lang'
>
interface Proof {
  code: string | null
  recovery_code: string | null
}

/**
 * Returns a typed one-time code without spaces and dashes, and with ASCII digits, because Japanese keyboards
 * also send full-width ones.
 */
export const normalizeOneTimeCode = (code: string) => foldCaseAndWidth(code).replace(/[\s-]/g, '')

type Run = (tx: Tx) => Promise<boolean>

/**
 * Creates the functions `checkCode` and `checkPasskey`, which check the second step of an account: a code, or
 * a passkey after the password. They count the failures of both together for the account, separately from
 * wrong passwords. Unlike wrong passwords, failures have no separate count for a browser with a device
 * cookie: a thief who knows the password may have got many such cookies before the second step was turned on.
 * If the proof is right, the functions call `run` in the transaction that has locked the account (and has
 * used up a code), and return the result of `run`. If the proof is wrong, they return false. Both throw 429
 * while the account has to wait, and 403 after too many failures in a day.
 */
export function createSecondStepCheckFunctions({ config, redis }: AppContext) {
  const attempts = createLogInAttemptCounter(config, redis)

  /**
   * Checks a proof of the second step. `prepare` runs before the transaction, because it may be slow, and
   * returns the functions `isRight` and `run`, which run in the transaction.
   */
  async function check(
    context: ProofContext,
    user: number,
    prepare: () => Promise<{ isRight: Run; run: Run }>,
  ) {
    await requireSecondStepNotBlockedByFailures(context.db, user)
    return runCountedLogInAttempt(attempts, `second step of ${user}`, async () => {
      const { isRight, run } = await prepare()
      return transaction(context.db, async (tx) => {
        await lockAndReadAccount(tx, user)
        // Checks for a stopped second step again, because another request may have stopped it since the first
        // check.
        await requireSecondStepNotBlockedByFailures(tx, user)
        if (await isRight(tx)) return run(tx)
        await recordSecondStepFailureAndBlockAtLimit(context, tx, user)
        return false
      })
    })
  }

  return {
    checkCode: (context: ProofContext, user: number, proof: Proof, run: Run) =>
      check(context, user, async () => {
        const hashed = await hashProof(context, user, proof)
        return { isRight: (tx) => consumeProof(context, tx, user, hashed), run }
      }),

    /**
     * Checks a passkey after the password. `verify` returns null if the passkey is refused; otherwise `run`
     * gets the result of `verify`.
     */
    checkPasskey: <T>(
      context: ProofContext,
      user: number,
      verify: () => Promise<T | null>,
      run: (tx: Tx, verified: T) => Promise<boolean>,
    ) =>
      check(context, user, async () => {
        const verified = await verify()
        return { isRight: async () => verified !== null, run: (tx) => run(tx, verified!) }
      }),
  }
}

export type SecondStepCheckFunctions = ReturnType<typeof createSecondStepCheckFunctions>

/**
 * Returns the name of the input field that shows the error of a wrong code: the field that the person has
 * filled in.
 */
export const toFilledSecondStepFieldName = ({ recovery_code }: Pick<Proof, 'recovery_code'>) =>
  recovery_code ? 'recovery_code' : 'code'

/**
 * Returns the proof with the hash of a recovery code in place of the code. The caller does this before the
 * transaction, because the hash is slow.
 */
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
  await logRecoveryCodeUseAndEnqueueSecurityMail(context, tx, user)
  return true
}

/**
 * Turns the second step of an account off, in the transaction of the caller, and records this in the security
 * log. If `since` is given, does this only if the second step was turned on at that time or later. Returns
 * false if nothing was turned off.
 */
export async function removeAuthenticatorAppOfAccount(
  tx: Tx,
  user: number,
  details: { network?: string; actor_id?: number },
  since?: string,
) {
  if (!(await deleteAuthenticatorAppSecret(tx, user, since))) return false
  await deleteLogInsOfAccountAwaitingSecondStep(tx, user)
  await clearSecondStepFailuresAndUnblock(tx, user)
  await recordSecurityEvent(tx, user, 'second_step_removed', details)
  return true
}
