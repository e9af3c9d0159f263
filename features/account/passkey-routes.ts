import { transaction } from '#core/database/transaction.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { httpErrors } from '#core/http/errors.ts'
import { lockConfirmedAccount, lockOwnAccount } from '#features/people/credentials.ts'
import { readMailRecipient } from '#features/people/read.ts'
import { recordSecurityEvent } from '#features/people/security-log.ts'
import { confirmSession, requireConfirmedSession } from '#features/people/sessions.ts'
import { lockActiveAccount, startSession } from './log-in.ts'
import { deleteLogInChallenge, findLogInChallengeUserId } from './log-in-challenges.ts'
import { enqueueSecurityNotice } from './notices.ts'
import type { passkeyEndpoints } from './passkey-contract.ts'
import {
  createAssertionOptions,
  createRegistrationOptions,
  toPasskeySite,
  verifyAssertion,
  verifyRegistration,
} from './passkey-verification.ts'
import {
  deletePasskey,
  insertPasskey,
  listCredentials,
  listPasskeys,
  passkeyRefusedError,
  recordPasskeyUse,
  renamePasskey,
} from './passkeys.ts'
import { requireAdminUsedPasskey } from './second-step-rule.ts'

export const passkeyRoutes: EndpointHandlers<typeof passkeyEndpoints> = {
  list: async ({ db, me, publicSite }) => ({
    origin: toPasskeySite(publicSite.origin)?.origin ?? null,
    passkeys: await listPasskeys(db, me.id),
  }),

  registrationOptions: async (context) => {
    const { db, me, session } = context
    await requireConfirmedSession(db, session.token)
    await requireAdminUsedPasskey(context)
    const owner = await readMailRecipient(db, me.id)
    if (!owner) throw httpErrors.unauthenticated()
    return createRegistrationOptions(context, { ...owner, id: me.id }, await listCredentials(db, me.id))
  },

  register: async (context) => {
    const { db, me, input, client, lang } = context
    await requireAdminUsedPasskey(context)
    const key = await verifyRegistration(context, input.credential)
    const name = input.name ?? client.device() ?? 'Passkey'
    const transports = input.credential.response.transports.join(' ')
    return transaction(db, async (tx) => {
      await lockConfirmedAccount(tx, context)
      await requireAdminUsedPasskey({ db: tx, me })
      const passkey = await insertPasskey(tx, { ...key, user_id: me.id, name, transports })
      await recordSecurityEvent(tx, me.id, 'passkey_added', { network: client.network })
      await enqueueSecurityNotice(context, tx, { user: me.id, kind: 'passkey_added', lang, client })
      return passkey
    })
  },

  rename: async ({ db, me, input }) => {
    const passkey = await transaction(db, (tx) => renamePasskey(tx, me.id, input.id, input.name))
    if (!passkey) throw httpErrors.notFound()
    return passkey
  },

  remove: async (context) => {
    const { db, me, input, client, lang } = context
    await transaction(db, async (tx) => {
      await lockConfirmedAccount(tx, context)
      await requireAdminUsedPasskey({ db: tx, me })
      if (!(await deletePasskey(tx, me.id, input.id))) throw httpErrors.notFound()
      await recordSecurityEvent(tx, me.id, 'passkey_removed', { network: client.network })
      await enqueueSecurityNotice(context, tx, { user: me.id, kind: 'passkey_removed', lang, client })
    })
  },

  logInOptions: (context) => createAssertionOptions(context, 'log_in'),

  // A passkey is both steps of a log-in: the device, and its check of the person.
  logIn: async (context) => {
    const { passkey, counter } = await verifyAssertion(context, 'log_in', context.input.credential)
    const { user_id: id } = passkey
    const previousToken = context.session.token
    await transaction(context.db, async (tx) => {
      await lockActiveAccount(tx, id)
      await recordPasskeyUse(tx, passkey, counter)
      await startSession(context, tx, { id, previousToken, proof: 'passkey' })
    })
  },

  // A browser without a log-in that waits learns nothing: the refusal is that of every wrong passkey.
  challengeOptions: async (context) => {
    const user = await findLogInChallengeUserId(context.db, context.session.token)
    if (user === undefined) throw passkeyRefusedError()
    return createAssertionOptions(context, 'second_step', await listCredentials(context.db, user))
  },

  challenge: async (context) => {
    const { db, session } = context
    const { token } = session
    const { passkey, counter } = await verifyAssertion(context, 'second_step', context.input.credential)
    const user = await findLogInChallengeUserId(db, token)
    if (passkey.user_id !== user) throw passkeyRefusedError()
    await transaction(db, async (tx) => {
      await lockActiveAccount(tx, user)
      // If two requests answer one challenge, only the first one deletes it and logs in.
      if (!(await deleteLogInChallenge(tx, token))) throw passkeyRefusedError()
      await recordPasskeyUse(tx, passkey, counter)
      await startSession(context, tx, { id: user, previousToken: token, proof: 'passkey' })
    })
  },

  confirmOptions: async (context) =>
    createAssertionOptions(context, 'confirm', await listCredentials(context.db, context.me.id)),

  confirm: async (context) => {
    const { db, me, input, session } = context
    const { passkey, counter } = await verifyAssertion(context, 'confirm', input.credential)
    if (passkey.user_id !== me.id) throw passkeyRefusedError()
    await transaction(db, async (tx) => {
      await lockOwnAccount(tx, context)
      await recordPasskeyUse(tx, passkey, counter)
      await confirmSession(tx, session.token, 'passkey')
    })
  },
}
