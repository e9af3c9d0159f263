import { transaction } from '#core/database/transaction.ts'
import type { EndpointHandlers, RequestContext } from '#core/http/endpoints.ts'
import { HttpError, httpErrorFactories } from '#core/http/errors.ts'
import {
  lockAndReadAccountOfRecentlyConfirmedSession,
  lockAndReadOwnAccount,
} from '#features/people/credentials.ts'
import { readNameHandleEmailAndVerifiedTime } from '#features/people/read.ts'
import { recordSecurityEvent } from '#features/people/security-log.ts'
import { recordIdentityConfirmationOfSession } from '#features/people/session-confirmation.ts'
import { lockAndReadActiveAccountForLogIn, startSessionAndRecordLogIn } from './log-in.ts'
import { deleteLogInAwaitingSecondStep, findUserIdOfLogInAwaitingSecondStep } from './log-in-challenges.ts'
import { enqueueSecurityMail } from './notices.ts'
import type { passkeyEndpoints } from './passkey-contract.ts'
import {
  createPasskeyAssertionOptions,
  createPasskeyRegistrationOptions,
  toPasskeyOriginAndRpId,
  verifyPasskeyAssertion,
  verifyPasskeyRegistration,
} from './passkey-verification.ts'
import {
  createPasskeyRefusedError,
  deletePasskey,
  insertPasskey,
  listPasskeyCredentialDescriptors,
  listPasskeys,
  recordPasskeyUse,
  requireRemainingLogInMethod,
  updatePasskeyName,
} from './passkeys.ts'
import type { SecondStepCheckFunctions } from './second-step.ts'
import { requireAdminWithPasskeysToHaveUsedOne } from './second-step-rule.ts'

type ChallengeContext = RequestContext<(typeof passkeyEndpoints)['challenge']>
type PasskeyRoutes = EndpointHandlers<typeof passkeyEndpoints>

/** Creates the handlers of `passkeyEndpoints`. */
export const createPasskeyEndpointHandlers = (checker: SecondStepCheckFunctions): PasskeyRoutes => ({
  list: async ({ db, me, publicSite }) => ({
    origin: toPasskeyOriginAndRpId(publicSite.origin)?.origin ?? null,
    passkeys: await listPasskeys(db, me.id),
  }),

  registrationOptions: async (context) => {
    const { db, me } = context
    await requireAdminWithPasskeysToHaveUsedOne(context)
    const owner = await readNameHandleEmailAndVerifiedTime(db, me.id)
    if (!owner) throw httpErrorFactories.unauthenticated()
    return createPasskeyRegistrationOptions(
      context,
      { ...owner, id: me.id },
      await listPasskeyCredentialDescriptors(db, me.id),
    )
  },

  register: async (context) => {
    const { db, me, input, client, lang } = context
    await requireAdminWithPasskeysToHaveUsedOne(context)
    const key = await verifyPasskeyRegistration(context, input.credential)
    const name = input.name ?? client.device() ?? 'Passkey'
    const transports = input.credential.response.transports.join(' ')
    return transaction(db, async (tx) => {
      await lockAndReadAccountOfRecentlyConfirmedSession(tx, context)
      await requireAdminWithPasskeysToHaveUsedOne({ db: tx, me })
      const passkey = await insertPasskey(tx, { ...key, user_id: me.id, name, transports })
      await recordSecurityEvent(tx, me.id, 'passkey_added', { network: client.network })
      await enqueueSecurityMail(context, tx, { user: me.id, kind: 'passkey_added', lang, client })
      return passkey
    })
  },

  rename: async ({ db, me, input }) => {
    const passkey = await transaction(db, (tx) => updatePasskeyName(tx, me.id, input.id, input.name))
    if (!passkey) throw httpErrorFactories.notFound()
    return passkey
  },

  remove: async (context) => {
    const { db, me, input, client, lang } = context
    await transaction(db, async (tx) => {
      const account = await lockAndReadAccountOfRecentlyConfirmedSession(tx, context)
      await requireAdminWithPasskeysToHaveUsedOne({ db: tx, me })
      if (!(await deletePasskey(tx, me.id, input.id))) throw httpErrorFactories.notFound()
      await requireRemainingLogInMethod(tx, account)
      await recordSecurityEvent(tx, me.id, 'passkey_removed', { network: client.network })
      await enqueueSecurityMail(context, tx, { user: me.id, kind: 'passkey_removed', lang, client })
    })
  },

  logInOptions: (context) => createPasskeyAssertionOptions(context, 'log_in'),

  // Logs a person in with only a passkey, without a second step: the passkey proves that the person has the
  // device, and the device has checked the person.
  logIn: async (context) => {
    const { passkey, counter } = await verifyPasskeyAssertion(context, 'log_in', context.input.credential)
    const { user_id: id } = passkey
    const previousToken = context.session.token
    await transaction(context.db, async (tx) => {
      await lockAndReadActiveAccountForLogIn(tx, id)
      await recordPasskeyUse(tx, passkey, counter)
      await startSessionAndRecordLogIn(context, tx, { id, previousToken, passkey_id: passkey.id })
    })
  },

  // If no log-in waits in this browser, throws the same error as for a wrong passkey, so that a stranger
  // learns nothing from the error.
  challengeOptions: async (context) => {
    const user = await findUserIdOfLogInAwaitingSecondStep(context.db, context.session.token)
    if (user === undefined) throw createPasskeyRefusedError()
    return createPasskeyAssertionOptions(
      context,
      'second_step',
      await listPasskeyCredentialDescriptors(context.db, user),
    )
  },

  challenge: createPasskeyChallengeHandler(checker),

  confirmOptions: async (context) =>
    createPasskeyAssertionOptions(
      context,
      'confirm',
      await listPasskeyCredentialDescriptors(context.db, context.me.id),
    ),

  confirm: async (context) => {
    const { db, me, input, session } = context
    const { passkey, counter } = await verifyPasskeyAssertion(context, 'confirm', input.credential)
    if (passkey.user_id !== me.id) throw createPasskeyRefusedError()
    await transaction(db, async (tx) => {
      await lockAndReadOwnAccount(tx, context)
      await recordPasskeyUse(tx, passkey, counter)
      await recordIdentityConfirmationOfSession(tx, session.token, passkey.id)
    })
  },
})

/**
 * Creates the handler of POST /two-factor-challenge/passkey, which finishes a log-in with a passkey as the
 * second step.
 */
const createPasskeyChallengeHandler =
  ({ checkPasskey }: SecondStepCheckFunctions): PasskeyRoutes['challenge'] =>
  async (context) => {
    const { db, session } = context
    const { token } = session
    const user = await findUserIdOfLogInAwaitingSecondStep(db, token)
    if (user === undefined) throw createPasskeyRefusedError()
    const verify = () => verifySecondStep(context, user)
    const isRight = await checkPasskey(context, user, verify, async (tx, { passkey, counter }) => {
      await lockAndReadActiveAccountForLogIn(tx, user)
      // Deletes the log-in that waits for the second step. If two requests finish the same log-in, only
      // one of them can delete it and start a session.
      if (!(await deleteLogInAwaitingSecondStep(tx, token))) return false
      await recordPasskeyUse(tx, passkey, counter)
      await startSessionAndRecordLogIn(context, tx, {
        id: user,
        previousToken: token,
        passkey_id: passkey.id,
      })
      return true
    })
    if (!isRight) throw createPasskeyRefusedError()
  }

/**
 * Checks the signature of a passkey as the second step of a log-in to this account. Returns the passkey and
 * its new counter; null if the signature is refused, or the passkey belongs to another account.
 */
async function verifySecondStep(context: ChallengeContext, user: number) {
  try {
    const verified = await verifyPasskeyAssertion(context, 'second_step', context.input.credential)
    return verified.passkey.user_id === user ? verified : null
  } catch (error) {
    if (error instanceof HttpError && error.status === 422) return null
    throw error
  }
}
