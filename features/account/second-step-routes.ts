import { transaction } from '#core/database/transaction.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { createInvalidFieldError } from '#core/http/errors.ts'
import { lockAndReadAccountOfRecentlyConfirmedSession } from '#features/people/credentials.ts'
import { recordSecurityEvent } from '#features/people/security-log.ts'
import { endOtherSessions } from '#features/people/sessions.ts'
import { deleteDeviceLogInLinkOfMember } from './device-links.ts'
import { lockAndReadActiveAccountForLogIn, startSessionAndRecordLogIn } from './log-in.ts'
import {
  deleteLogInAwaitingSecondStep,
  deleteLogInsOfAccountAwaitingSecondStep,
  findUserIdOfLogInAwaitingSecondStep,
} from './log-in-challenges.ts'
import { enqueueSecurityMail } from './notices.ts'
import {
  confirmAuthenticatorAppIfCodeMatches,
  createAndStoreAuthenticatorAppSecret,
  hasConfirmedAuthenticatorApp,
  isCodeOfUnconfirmedAuthenticatorApp,
  readAuthenticatorAppConfirmationTime,
} from './one-time-codes.ts'
import { generateAndHashRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.ts'
import {
  normalizeOneTimeCode,
  removeAuthenticatorAppOfAccount,
  type SecondStepCheckFunctions,
  toFilledSecondStepFieldName,
} from './second-step.ts'
import type { secondStepEndpoints } from './second-step-contract.ts'
import { requireAdminWithPasskeysToHaveUsedOne } from './second-step-rule.ts'
import { createOtpAuthUrl, toBase32 } from './totp.ts'

const messages = {
  /**
   * The error message after a wrong second step of a log-in. The message is the same for every reason, so
   * that a stranger does not learn whether a log-in waits in this browser.
   */
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

/**
 * Creates the handlers of `secondStepEndpoints`, which turn the second step on and off and finish a log-in
 * with it.
 */
export function createSecondStepEndpointHandlers({ checkCode }: SecondStepCheckFunctions): SecondStepRoutes {
  return {
    challenge: createChallengeHandler(checkCode),

    state: async ({ db, me }) => ({ confirmed_at: await readAuthenticatorAppConfirmationTime(db, me.id) }),

    start: async (context) => {
      const { db, config, me } = context
      const { email, handle, secret } = await transaction(db, async (tx) => {
        const account = await lockAndReadAccountOfRecentlyConfirmedSession(tx, context)
        await requireAdminWithPasskeysToHaveUsedOne({ db: tx, me })
        return { ...account, secret: await createAndStoreAuthenticatorAppSecret(config, tx, me.id) }
      })
      return {
        secret: toBase32(secret),
        address: createOtpAuthUrl(secret, context.publicSite.name, email ?? handle),
      }
    },

    confirm: async (context) => {
      const { db, config, me, input, session, client, lang } = context
      await requireAdminWithPasskeysToHaveUsedOne(context)
      const code = normalizeOneTimeCode(input.code)
      // Checks the one-time code before the recovery codes are created, because the hashes of recovery codes
      // are slow.
      if (!(await isCodeOfUnconfirmedAuthenticatorApp(config, db, me.id, code)))
        throw createInvalidFieldError('code', messages.wrongCode)
      const created = await generateAndHashRecoveryCodes(me.id, client.network)
      const recovery_codes = await transaction(db, async (tx) => {
        await lockAndReadAccountOfRecentlyConfirmedSession(tx, context)
        await requireAdminWithPasskeysToHaveUsedOne({ db: tx, me })
        if (!(await confirmAuthenticatorAppIfCodeMatches(config, tx, me.id, code)))
          throw createInvalidFieldError('code', messages.wrongCode)
        // Ends the member's other sessions. They began without the second step, so one of them may be a
        // thief's.
        await endOtherSessions(tx, context.realtime, me.id, session.token)
        await deleteDeviceLogInLinkOfMember(tx, me.id)
        await deleteLogInsOfAccountAwaitingSecondStep(tx, me.id)
        await recordSecurityEvent(tx, me.id, 'second_step_added', { network: client.network })
        await enqueueSecurityMail(context, tx, { user: me.id, kind: 'second_step_added', lang, client })
        return replaceRecoveryCodes(tx, me.id, created)
      })
      return { recovery_codes }
    },

    remove: async (context) => {
      const { db, me, input, client, lang } = context
      if (!(await hasConfirmedAuthenticatorApp(db, me.id))) return
      const isRight = await checkCode(context, me.id, input, async (tx) => {
        await lockAndReadAccountOfRecentlyConfirmedSession(tx, context)
        await removeAuthenticatorAppOfAccount(tx, me.id, { network: client.network })
        await enqueueSecurityMail(context, tx, { user: me.id, kind: 'second_step_removed', lang, client })
        return true
      })
      if (!isRight) throw createInvalidFieldError(toFilledSecondStepFieldName(input), messages.wrongCode)
    },
  }
}

/**
 * Creates the handler of POST /two-factor-challenge, which finishes a log-in with a one-time code or a
 * recovery code.
 */
const createChallengeHandler =
  (checkCode: SecondStepCheckFunctions['checkCode']): SecondStepRoutes['challenge'] =>
  async (context) => {
    const { db, input, session } = context
    const { token } = session
    const user = await findUserIdOfLogInAwaitingSecondStep(db, token)
    const isRight =
      user !== undefined &&
      (await checkCode(context, user, input, async (tx) => {
        await lockAndReadActiveAccountForLogIn(tx, user)
        // Deletes the log-in that waits for the second step. If two requests finish the same log-in, only
        // one of them can delete it and start a session.
        if (!(await deleteLogInAwaitingSecondStep(tx, token))) return false
        await startSessionAndRecordLogIn(context, tx, { id: user, previousToken: token })
        return true
      }))
    if (!isRight) throw createInvalidFieldError(toFilledSecondStepFieldName(input), messages.logInFailed)
  }
