import { transaction } from '#core/database/transaction.ts'
import type { Handlers, RequestContext } from '#core/http/endpoints.ts'
import { HttpError, httpErrors } from '#core/http/errors.ts'
import * as credentials from '#features/people/credentials.ts'
import * as people from '#features/people/read.ts'
import * as securityLog from '#features/people/security-log.ts'
import { recordConfirmation } from '#features/people/session-confirmation.ts'
import type { passkeyEndpoints } from './contract.ts'
import { lockForLogIn, startSession } from './log-in.ts'
import * as challenges from './log-in-challenges.ts'
import { sendSecurityMail } from './notices.ts'
import {
  assertionOptions,
  creationOptions,
  passkeySite,
  verifyAssertion,
  verifyCreation,
} from './passkey-verification.ts'
import * as passkeys from './passkeys.ts'
import type { SecondStepChecks } from './second-step.ts'
import { requirePasskeyUse } from './second-step-rule.ts'

type ChallengeContext = RequestContext<(typeof passkeyEndpoints)['challenge']>
type PasskeyRoutes = Handlers<typeof passkeyEndpoints>

export const passkeyHandlers = (checker: SecondStepChecks): PasskeyRoutes => ({
  list: async ({ db, me, publicSite }) => ({
    origin: passkeySite(publicSite.origin)?.origin ?? null,
    passkeys: await passkeys.list(db, me.id),
  }),

  registrationOptions: async (context) => {
    const { db, me } = context
    await requirePasskeyUse(context)
    const owner = await people.findRecipient(db, me.id)
    if (!owner) throw httpErrors.unauthenticated()
    return creationOptions(context, { ...owner, id: me.id }, await passkeys.listDescriptors(db, me.id))
  },

  register: async (context) => {
    const { db, me, input, client, lang } = context
    await requirePasskeyUse(context)
    const key = await verifyCreation(context, input.credential)
    const name = input.name ?? client.device() ?? 'Passkey'
    const transports = input.credential.response.transports.join(' ')
    return transaction(db, async (tx) => {
      await credentials.lockConfirmed(tx, context)
      await requirePasskeyUse({ db: tx, me })
      const passkey = await passkeys.add(tx, { ...key, user_id: me.id, name, transports })
      await securityLog.record(tx, me.id, 'passkey_added', { network: client.network })
      await sendSecurityMail(context, tx, { user: me.id, kind: 'passkey_added', lang, client })
      return passkey
    })
  },

  rename: async ({ db, me, input }) => {
    const passkey = await transaction(db, (tx) => passkeys.rename(tx, me.id, input.id, input.name))
    if (!passkey) throw httpErrors.notFound()
    return passkey
  },

  remove: async (context) => {
    const { db, me, input, client, lang } = context
    await transaction(db, async (tx) => {
      const account = await credentials.lockConfirmed(tx, context)
      await requirePasskeyUse({ db: tx, me })
      if (!(await passkeys.remove(tx, me.id, input.id))) throw httpErrors.notFound()
      await passkeys.requireWayIn(tx, account)
      await securityLog.record(tx, me.id, 'passkey_removed', { network: client.network })
      await sendSecurityMail(context, tx, { user: me.id, kind: 'passkey_removed', lang, client })
    })
  },

  logInOptions: (context) => assertionOptions(context, 'log_in'),

  // No second step: the passkey proves that the person has the device, which has checked the person.
  logIn: async (context) => {
    const { passkey, counter } = await verifyAssertion(context, 'log_in', context.input.credential)
    const { user_id: id } = passkey
    const previousToken = context.session.token
    await transaction(context.db, async (tx) => {
      await lockForLogIn(tx, id)
      await passkeys.recordUse(tx, passkey, counter)
      await startSession(context, tx, { id, previousToken, passkey_id: passkey.id })
    })
  },

  // Without a waiting log-in, the same error as for a wrong passkey: a stranger learns nothing from it.
  challengeOptions: async (context) => {
    const user = await challenges.findAccount(context.db, context.session.token)
    if (user === undefined) throw passkeys.refused()
    return assertionOptions(context, 'second_step', await passkeys.listDescriptors(context.db, user))
  },

  challenge: challengeHandler(checker),

  confirmOptions: async (context) =>
    assertionOptions(context, 'confirm', await passkeys.listDescriptors(context.db, context.me.id)),

  confirm: async (context) => {
    const { db, me, input, session } = context
    const { passkey, counter } = await verifyAssertion(context, 'confirm', input.credential)
    if (passkey.user_id !== me.id) throw passkeys.refused()
    await transaction(db, async (tx) => {
      await credentials.lockOwn(tx, context)
      await passkeys.recordUse(tx, passkey, counter)
      await recordConfirmation(tx, session.token, passkey.id)
    })
  },
})

/** POST /two-factor-challenge/passkey. */
const challengeHandler =
  ({ checkPasskey }: SecondStepChecks): PasskeyRoutes['challenge'] =>
  async (context) => {
    const { db, session } = context
    const { token } = session
    const user = await challenges.findAccount(db, token)
    if (user === undefined) throw passkeys.refused()
    const verify = () => verifySecondStep(context, user)
    const isRight = await checkPasskey(context, user, verify, async (tx, { passkey, counter }) => {
      await lockForLogIn(tx, user)
      // If two requests finish the same log-in, only one can delete it and start a session.
      if (!(await challenges.remove(tx, token))) return false
      await passkeys.recordUse(tx, passkey, counter)
      await startSession(context, tx, {
        id: user,
        previousToken: token,
        passkey_id: passkey.id,
      })
      return true
    })
    if (!isRight) throw passkeys.refused()
  }

/** Null if the signature is refused, or the passkey belongs to another account. */
async function verifySecondStep(context: ChallengeContext, user: number) {
  try {
    const verified = await verifyAssertion(context, 'second_step', context.input.credential)
    return verified.passkey.user_id === user ? verified : null
  } catch (error) {
    if (error instanceof HttpError && error.status === 422) return null
    throw error
  }
}
