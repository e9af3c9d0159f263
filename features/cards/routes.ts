import { transaction } from '#core/database/transaction.ts'
import type { EndpointHandlers, RequestContext } from '#core/http/endpoints.ts'
import { lockAndReadActiveAccountForLogIn, startSessionAndRecordLogIn } from '#features/account/log-in.ts'
import {
  createPasskeyRegistrationOptions,
  toPasskeyOriginAndRpId,
  verifyPasskeyRegistration,
} from '#features/account/passkey-verification.ts'
import { insertPasskey } from '#features/account/passkeys.ts'
import { checkAndHashNewPassword, savePasswordHash } from '#features/people/credentials.ts'
import { readNameHandleEmailAndVerifiedTime } from '#features/people/read.ts'
import { recordSecurityEvent } from '#features/people/security-log.ts'
import { markLogInCardWithCodeAsUsed, requireUsableLogInCardByCode } from './cards.ts'
import type { logInCardEndpoints } from './contract.ts'
import { checkMemberListAndSuggestHandles } from './list-checks.ts'
import type { memberListImportEndpoints } from './list-contract.ts'
import {
  createMembersAndLogInCardsFromList,
  replaceUnusedLogInCardOfMember,
  replaceUnusedLogInCardsOfMemberList,
} from './lists.ts'
import { listMemberListImports, listMembersWithLogInCardStateOfImport } from './read.ts'

type UseContext = RequestContext<(typeof logInCardEndpoints)['use']>

/**
 * Verifies the new passkey in the request, and returns the values for the columns that store it; null if the
 * request has no passkey.
 */
async function verifyPasskey(context: UseContext, user_id: number) {
  const { input, client } = context
  if (!input.passkey) return null
  const key = await verifyPasskeyRegistration(context, input.passkey)
  const transports = input.passkey.response.transports.join(' ')
  return { ...key, user_id, transports, name: client.device() ?? 'Passkey' }
}

/**
 * Uses up a log-in card: saves the password or the passkey that the member has chosen, and logs the member
 * in. Throws 422 for a wrong card or passkey, and 403 if the member is suspended.
 */
async function useCard(context: UseContext) {
  const { db, input, session, client } = context
  const { code, password } = input
  const { user_id: id, group_id } = await requireUsableLogInCardByCode(db, code)
  const password_hash =
    password === undefined ? null : await checkAndHashNewPassword(password, client.network)
  const passkey = await verifyPasskey(context, id)
  const previousToken = session.token
  await transaction(db, async (tx) => {
    await lockAndReadActiveAccountForLogIn(tx, id)
    await markLogInCardWithCodeAsUsed(tx, code)
    if (password_hash !== null) await savePasswordHash(tx, id, password_hash)
    const added = passkey && (await insertPasskey(tx, passkey))
    await recordSecurityEvent(tx, id, 'card_used', { network: client.network })
    await startSessionAndRecordLogIn(context, tx, {
      id,
      previousToken,
      ...(added && { passkey_id: added.id }),
    })
  })
  return { group: group_id }
}

/**
 * Reads the id, the name, the handle and the e-mail address of the member to whom the card with the code of
 * the request belongs. Throws 422 if the card is not valid.
 */
async function readCardOwner({
  db,
  input,
}: Pick<RequestContext<(typeof logInCardEndpoints)['check']>, 'db' | 'input'>) {
  const { user_id: id } = await requireUsableLogInCardByCode(db, input.code)
  return { id, ...(await readNameHandleEmailAndVerifiedTime(db, id))! }
}

export const logInCardEndpointHandlers: EndpointHandlers<typeof logInCardEndpoints> = {
  check: async (context) => {
    const { name, handle } = await readCardOwner(context)
    return { name, handle, passkey_origin: toPasskeyOriginAndRpId(context.publicSite.origin)?.origin ?? null }
  },
  passkeyOptions: async (context) =>
    createPasskeyRegistrationOptions(context, await readCardOwner(context), []),
  use: useCard,
}

export const memberListImportEndpointHandlers: EndpointHandlers<typeof memberListImportEndpoints> = {
  preview: async (context) => {
    const { rows, groups } = await checkMemberListAndSuggestHandles(context, context.input.rows, context.lang)
    return { rows, groups }
  },
  create: (context) => createMembersAndLogInCardsFromList(context, context.input),
  list: (context) => listMemberListImports(context, context.input),
  members: (context) => listMembersWithLogInCardStateOfImport(context, context.input),
  renew: (context) => replaceUnusedLogInCardsOfMemberList(context, context.input),
  renewOne: (context) => replaceUnusedLogInCardOfMember(context, context.input),
}
