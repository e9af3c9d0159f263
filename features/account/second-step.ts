import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { RequestContext } from '#core/http/endpoints.ts'
import { foldCaseAndWidth } from '#core/text/unicode.ts'
import * as credentials from '#features/people/credentials.ts'
import { attemptCounter, runAttempt } from '#features/people/log-in-attempts.ts'
import * as securityLog from '#features/people/security-log.ts'
import type { secondStepEndpoints } from './contract.ts'
import * as challenges from './log-in-challenges.ts'
import * as oneTimeCodes from './one-time-codes.ts'
import * as recoveryCodes from './recovery-codes.ts'
import * as failures from './second-step-failures.ts'

type ProofContext = Pick<
  RequestContext<(typeof secondStepEndpoints)['challenge' | 'remove']>,
  'db' | 'config' | 'publicSite' | 'client' | 'lang'
>
interface Proof {
  code: string | null
  recovery_code: string | null
}

/** With ASCII digits, because Japanese keyboards also send full-width ones. */
export const normalizeCode = (code: string) => foldCaseAndWidth(code).replace(/[\s-]/g, '')

type Run = (tx: Tx) => Promise<boolean>

/**
 * Codes and passkeys count together for the account, apart from wrong passwords, and without a count for
 * device cookies: a thief with the password may have got many before the second step was turned on. With a
 * right proof, `run` runs in the transaction that has locked the account and used up a code; a wrong one
 * resolves to false. 429 while the account has to wait, 403 after too many failures in a day.
 */
export function secondStepChecks({ config, redis }: AppContext) {
  const attempts = attemptCounter(config, redis)

  /** `prepare` may be slow, so it runs before the transaction; `isRight` and `run` run in it. */
  async function check(
    context: ProofContext,
    user: number,
    prepare: () => Promise<{ isRight: Run; run: Run }>,
  ) {
    await failures.requireNotStopped(context.db, user)
    return runAttempt(attempts, `second step of ${user}`, async () => {
      const { isRight, run } = await prepare()
      return transaction(context.db, async (tx) => {
        await credentials.lock(tx, user)
        // Another request may have stopped it since the first check.
        await failures.requireNotStopped(tx, user)
        if (await isRight(tx)) return run(tx)
        await failures.record(context, tx, user)
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

    /** `verify` resolves to null if the passkey is refused; otherwise `run` gets its result. */
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

export type SecondStepChecks = ReturnType<typeof secondStepChecks>

/** The field that shows the error. */
export const filledField = ({ recovery_code }: Pick<Proof, 'recovery_code'>) =>
  recovery_code ? 'recovery_code' : 'code'

/** Before the transaction, because the hash is slow. */
async function hashProof({ db, client }: ProofContext, user: number, { code, recovery_code }: Proof) {
  if (code || !recovery_code) return { code, recovery_hash: null }
  return { code, recovery_hash: await recoveryCodes.hash(db, user, recovery_code, client.network) }
}

async function consumeProof(
  context: ProofContext,
  tx: Tx,
  user: number,
  { code, recovery_hash }: Awaited<ReturnType<typeof hashProof>>,
) {
  if (code) return oneTimeCodes.consume(context.config, tx, user, normalizeCode(code))
  if (!recovery_hash || !(await recoveryCodes.consume(tx, user, recovery_hash))) return false
  await recoveryCodes.reportUse(context, tx, user)
  return true
}

/**
 * Also in the security log. With `since`, only if it was turned on then or later. False if nothing was turned
 * off.
 */
export async function turnOffSecondStep(
  tx: Tx,
  user: number,
  details: { network?: string; actor_id?: number },
  since?: string,
) {
  if (!(await oneTimeCodes.remove(tx, user, since))) return false
  await challenges.removeAll(tx, user)
  await failures.clear(tx, user)
  await securityLog.record(tx, user, 'second_step_removed', details)
  return true
}
