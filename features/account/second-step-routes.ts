import { transaction } from '#core/database/transaction.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import { fieldError } from '#core/http/errors.ts'
import * as credentials from '#features/people/credentials.ts'
import * as securityLog from '#features/people/security-log.ts'
import * as sessions from '#features/people/sessions.ts'
import type { secondStepEndpoints } from './contract.ts'
import * as deviceLinks from './device-links.ts'
import { lockForLogIn, startSession } from './log-in.ts'
import * as challenges from './log-in-challenges.ts'
import { sendSecurityMail } from './notices.ts'
import * as oneTimeCodes from './one-time-codes.ts'
import * as recoveryCodes from './recovery-codes.ts'
import { filledField, normalizeCode, type SecondStepChecks, turnOffSecondStep } from './second-step.ts'
import { requirePasskeyUse } from './second-step-rule.ts'
import { otpAuthUrl, toBase32 } from './totp.ts'

const messages = {
  /** One for all reasons, so that a stranger does not learn whether a log-in waits in this browser. */
  logInFailed: {
    en: 'This code is not correct, or was used already. If it stays so, log in again from the start.',
    ja: 'コードが正しくないか、すでに使われています。何度も失敗する場合は、はじめからログインし直してください。',
  },
  wrongCode: {
    en: 'This code is not correct, or was used already. Wait for the next one.',
    ja: 'コードが正しくないか、すでに使われています。認証アプリの表示が変わるのを待って、新しいコードを入力してください。',
  },
}

type SecondStepRoutes = Handlers<typeof secondStepEndpoints>

export function secondStepHandlers({ checkCode }: SecondStepChecks): SecondStepRoutes {
  return {
    challenge: createChallengeHandler(checkCode),

    state: async ({ db, me }) => ({ confirmed_at: await oneTimeCodes.onSince(db, me.id) }),

    start: async (context) => {
      const { db, config, me } = context
      const { email, handle, secret } = await transaction(db, async (tx) => {
        const account = await credentials.lockConfirmed(tx, context)
        await requirePasskeyUse({ db: tx, me })
        return { ...account, secret: await oneTimeCodes.createSecret(config, tx, me.id) }
      })
      return {
        secret: toBase32(secret),
        address: otpAuthUrl(secret, context.publicSite.name, email ?? handle),
      }
    },

    confirm: async (context) => {
      const { db, config, me, input, session, client, lang } = context
      await requirePasskeyUse(context)
      const code = normalizeCode(input.code)
      // Before the slow hashes of recovery codes.
      if (!(await oneTimeCodes.isPendingCode(config, db, me.id, code)))
        throw fieldError('code', messages.wrongCode)
      const created = await recoveryCodes.generate(me.id, client.network)
      const recovery_codes = await transaction(db, async (tx) => {
        await credentials.lockConfirmed(tx, context)
        await requirePasskeyUse({ db: tx, me })
        if (!(await oneTimeCodes.confirm(config, tx, me.id, code)))
          throw fieldError('code', messages.wrongCode)
        // They began without the second step, so one of them may be a thief's.
        await sessions.endOthers(tx, context.realtime, me.id, session.token)
        await deviceLinks.remove(tx, me.id)
        await challenges.removeAll(tx, me.id)
        await securityLog.record(tx, me.id, 'second_step_added', { network: client.network })
        await sendSecurityMail(context, tx, { user: me.id, kind: 'second_step_added', lang, client })
        return recoveryCodes.replace(tx, me.id, created)
      })
      return { recovery_codes }
    },

    remove: async (context) => {
      const { db, me, input, client, lang } = context
      if (!(await oneTimeCodes.isOn(db, me.id))) return
      const isRight = await checkCode(context, me.id, input, async (tx) => {
        await credentials.lockConfirmed(tx, context)
        await turnOffSecondStep(tx, me.id, { network: client.network })
        await sendSecurityMail(context, tx, { user: me.id, kind: 'second_step_removed', lang, client })
        return true
      })
      if (!isRight) throw fieldError(filledField(input), messages.wrongCode)
    },
  }
}

/** POST /two-factor-challenge. */
const createChallengeHandler =
  (checkCode: SecondStepChecks['checkCode']): SecondStepRoutes['challenge'] =>
  async (context) => {
    const { db, input, session } = context
    const { token } = session
    const user = await challenges.findAccount(db, token)
    const isRight =
      user !== undefined &&
      (await checkCode(context, user, input, async (tx) => {
        await lockForLogIn(tx, user)
        // If two requests finish the same log-in, only one can delete it and start a session.
        if (!(await challenges.remove(tx, token))) return false
        await startSession(context, tx, { id: user, previousToken: token })
        return true
      }))
    if (!isRight) throw fieldError(filledField(input), messages.logInFailed)
  }
