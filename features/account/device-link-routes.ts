import { transaction } from '#core/database/transaction.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { lockAndReadAccountOfRecentlyConfirmedSession } from '#features/people/credentials.ts'
import { readNameHandleEmailAndVerifiedTime } from '#features/people/read.ts'
import type { deviceLogInLinkEndpoints } from './device-link-contract.ts'
import {
  consumeDeviceLogInLinkAndReadSessionPasskeyId,
  createDeviceLogInLinkAndReturnToken,
  deleteDeviceLogInLinkOfMember,
  readDeviceLogInLinkStateAndExpiry,
  requireUserIdOfOpenDeviceLogInLink,
} from './device-links.ts'
import { lockAndReadActiveAccountForLogIn, startSessionAndRecordLogIn } from './log-in.ts'

export const deviceLogInLinkEndpointHandlers: EndpointHandlers<typeof deviceLogInLinkEndpoints> = {
  create: async (context) => {
    const { db, me, session, publicSite } = context
    const { token, expires_at } = await transaction(db, async (tx) => {
      await lockAndReadAccountOfRecentlyConfirmedSession(tx, context)
      return createDeviceLogInLinkAndReturnToken(tx, me.id, session.token)
    })
    return { link: `${publicSite.origin}/device-log-in#${token}`, expires_at }
  },

  state: ({ db, me }) => readDeviceLogInLinkStateAndExpiry(db, me.id),

  cancel: async ({ db, me }) => {
    await transaction(db, (tx) => deleteDeviceLogInLinkOfMember(tx, me.id))
  },

  check: async ({ db, input }) => {
    const { name, handle } = (await readNameHandleEmailAndVerifiedTime(
      db,
      await requireUserIdOfOpenDeviceLogInLink(db, input.token),
    ))!
    return { name, handle }
  },

  use: async (context) => {
    const { db, input, session } = context
    const id = await requireUserIdOfOpenDeviceLogInLink(db, input.token)
    const previousToken = session.token
    await transaction(db, async (tx) => {
      await lockAndReadActiveAccountForLogIn(tx, id)
      const passkey_id = await consumeDeviceLogInLinkAndReadSessionPasskeyId(tx, input.token)
      await startSessionAndRecordLogIn(context, tx, { id, previousToken, passkey_id, isByDeviceLink: true })
    })
  },
}
