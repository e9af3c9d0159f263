import '#features/registration/events.ts'
import { transaction } from '#core/database/transaction.ts'
import type { Handlers, RequestContext } from '#core/http/endpoints.ts'
import { lockForLogIn, startSession } from '#features/account/log-in.ts'
import { creationOptions, passkeySite, verifyCreation } from '#features/account/passkey-verification.ts'
import * as passkeys from '#features/account/passkeys.ts'
import * as credentials from '#features/people/credentials.ts'
import { saveHandle, saveReading } from '#features/people/model.ts'
import * as people from '#features/people/read.ts'
import * as securityLog from '#features/people/security-log.ts'
import * as logInCards from './cards.ts'
import type { cardEndpoints, memberListEndpoints } from './contract.ts'
import { checkList } from './list-checks.ts'
import * as lists from './lists.ts'
import * as read from './read.ts'

type UseContext = RequestContext<(typeof cardEndpoints)['use']>

/** Returns the columns that store the passkey; null if the request has none. */
async function verifyPasskey(context: UseContext, user_id: number) {
  const { input, client } = context
  if (!input.passkey) return null
  const key = await verifyCreation(context, input.passkey)
  const transports = input.passkey.response.transports.join(' ')
  return { ...key, user_id, transports, name: client.device() ?? 'Passkey' }
}

/** 422 for a wrong card, passkey or handle, 403 if the member is suspended. */
async function useCard(context: UseContext) {
  const { db, input, session, client } = context
  const { code, password, handle, reading } = input
  const { user_id: id, group_id, made_by } = await logInCards.requireUsable(db, code)
  const password_hash = password === undefined ? null : await credentials.hashNew(password, client.network)
  const passkey = await verifyPasskey(context, id)
  const previousToken = session.token
  await transaction(db, async (tx) => {
    if (handle || reading !== undefined) await credentials.lockAll(tx)
    await lockForLogIn(tx, id)
    await logInCards.markUsed(tx, code)
    if (handle) await saveHandle(tx, id, handle)
    if (reading !== undefined) await saveReading(tx, id, reading)
    if (password_hash !== null) await credentials.saveHash(tx, id, password_hash)
    const added = passkey && (await passkeys.add(tx, passkey))
    await securityLog.record(tx, id, 'card_used', { network: client.network })
    await context.emit(tx, 'member.joined', { id, inviter_id: made_by, approver_id: null })
    await startSession(context, tx, {
      id,
      previousToken,
      ...(added && { passkey_id: added.id }),
    })
  })
  return { group: group_id }
}

/** 422 if the card is not valid. */
async function readCardOwner({
  db,
  input,
}: Pick<RequestContext<(typeof cardEndpoints)['check']>, 'db' | 'input'>) {
  const { user_id: id } = await logInCards.requireUsable(db, input.code)
  return { id, ...(await people.findRecipient(db, id))! }
}

export const cardHandlers: Handlers<typeof cardEndpoints> = {
  check: async (context) => {
    const { id, name, handle } = await readCardOwner(context)
    const reading = await people.findReading(context.db, id)
    return { name, reading, handle, passkey_origin: passkeySite(context.publicSite.origin)?.origin ?? null }
  },
  passkeyOptions: async (context) => creationOptions(context, await readCardOwner(context), []),
  use: useCard,
}

export const listHandlers: Handlers<typeof memberListEndpoints> = {
  preview: async (context) => {
    const { rows, groups } = await checkList(context, context.input.rows, context.lang)
    return { rows, groups }
  },
  create: (context) => lists.create(context, context.input),
  list: (context) => read.lists(context, context.input),
  members: (context) => read.members(context, context.input),
  renew: (context) => lists.renew(context, context.input),
  renewOne: (context) => lists.renewOne(context, context.input),
}
