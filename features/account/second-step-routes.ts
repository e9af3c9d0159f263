import { transaction } from '#core/database/transaction.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { invalidFieldError } from '#core/http/errors.ts'
import { lockConfirmedAccount } from '#features/people/credentials.ts'
import { recordSecurityEvent } from '#features/people/security-log.ts'
import { endOtherSessions, requireConfirmedSession } from '#features/people/sessions.ts'
import { lockActiveAccount, startSession } from './log-in.ts'
import {
  deleteLogInChallenge,
  deleteLogInChallengesOf,
  findLogInChallengeUserId,
} from './log-in-challenges.ts'
import { enqueueSecurityNotice } from './notices.ts'
import {
  confirmOneTimeSecret,
  createOneTimeSecret,
  hasSecondStep,
  isCodeOfNewSecret,
  readSecondStepConfirmationTime,
} from './one-time-codes.ts'
import { generateRecoveryCodes, saveRecoveryCodes } from './recovery-codes.ts'
import { type CheckSecondStep, normalizeOneTimeCode, removeSecondStep, toProofField } from './second-step.ts'
import type { secondStepEndpoints } from './second-step-contract.ts'
import { requireAdminUsedPasskey } from './second-step-rule.ts'
import { createOtpAuthAddress, toBase32 } from './totp.ts'

const messages = {
  /** One sentence for all cases: whether a log-in waits here is nobody else's business. */
  logInFailed: {
    en: 'This code is not correct, or was used already. If it stays so, log in again from the start.',
    ja: 'コードが正しくないか、すでに使われています。何度も失敗する場合は、はじめからログインし直してください。',
  },
  wrongCode: {
    en: 'This code is not correct, or was used already. Wait for the next one.',
    ja: 'コードが正しくないか、すでに使われています。次のコードをお待ちください。',
  },
}

type SecondStepRoutes = EndpointHandlers<typeof secondStepEndpoints>

/** Creates the handlers of the second step. */
export function createSecondStepRoutes(checkSecondStep: CheckSecondStep): SecondStepRoutes {
  return {
    challenge: createChallengeHandler(checkSecondStep),

    state: async ({ db, me }) => ({ confirmed_at: await readSecondStepConfirmationTime(db, me.id) }),

    start: async (context) => {
      const { db, config, me } = context
      const { email, secret } = await transaction(db, async (tx) => {
        const account = await lockConfirmedAccount(tx, context)
        await requireAdminUsedPasskey({ db: tx, me })
        return { ...account, secret: await createOneTimeSecret(config, tx, me.id) }
      })
      return { secret: toBase32(secret), address: createOtpAuthAddress(secret, config.APP_NAME, email) }
    },

    confirm: async (context) => {
      const { db, config, me, input, session, client, lang } = context
      await requireConfirmedSession(db, session.token)
      await requireAdminUsedPasskey(context)
      const code = normalizeOneTimeCode(input.code)
      // Wrong codes are refused here already, so that they do not cost the hashes of recovery codes.
      if (!(await isCodeOfNewSecret(config, db, me.id, code)))
        throw invalidFieldError('code', messages.wrongCode)
      const created = await generateRecoveryCodes(me.id, client.network)
      const recovery_codes = await transaction(db, async (tx) => {
        await lockConfirmedAccount(tx, context)
        await requireAdminUsedPasskey({ db: tx, me })
        if (!(await confirmOneTimeSecret(config, tx, me.id, code)))
          throw invalidFieldError('code', messages.wrongCode)
        // A session that began without the second step may be that of a thief.
        await endOtherSessions(tx, context.realtime, me.id, session.token)
        await deleteLogInChallengesOf(tx, me.id)
        await recordSecurityEvent(tx, me.id, 'second_step_added', { network: client.network })
        await enqueueSecurityNotice(context, tx, { user: me.id, kind: 'second_step_added', lang, client })
        return saveRecoveryCodes(tx, me.id, created)
      })
      return { recovery_codes }
    },

    remove: async (context) => {
      const { db, me, input, session, client, lang } = context
      await requireConfirmedSession(db, session.token)
      if (!(await hasSecondStep(db, me.id))) return
      const isRight = await checkSecondStep(context, me.id, input, async (tx) => {
        await lockConfirmedAccount(tx, context)
        await removeSecondStep(tx, me.id, { network: client.network })
        await enqueueSecurityNotice(context, tx, { user: me.id, kind: 'second_step_removed', lang, client })
        return true
      })
      if (!isRight) throw invalidFieldError(toProofField(input), messages.wrongCode)
    },
  }
}

/** Creates the handler of POST /two-factor-challenge. */
const createChallengeHandler =
  (checkSecondStep: CheckSecondStep): SecondStepRoutes['challenge'] =>
  async (context) => {
    const { db, input, session, client } = context
    const { token } = session
    const user = await findLogInChallengeUserId(db, token)
    const isRight =
      user !== undefined &&
      (await checkSecondStep(context, user, input, async (tx) => {
        await lockActiveAccount(tx, user)
        // If two requests answer one challenge, only the first one deletes it and logs in.
        if (!(await deleteLogInChallenge(tx, token))) return false
        await startSession(context, tx, { id: user, previousToken: token })
        return true
      }))
    if (isRight) return
    if (user !== undefined)
      await transaction(db, (tx) =>
        recordSecurityEvent(tx, user, 'second_step_failed', { network: client.network }),
      )
    throw invalidFieldError(toProofField(input), messages.logInFailed)
  }
