import { transaction } from '#core/database/transaction.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { lockAndReadAccountOfConfirmedSession } from '#features/people/credentials.ts'
import { readMailRecipient } from '#features/people/read.ts'
import type { deviceLinkEndpoints } from './device-link-contract.ts'
import {
  consumeDeviceLinkAndReadCreatorPasskeyId,
  createDeviceLink,
  deleteDeviceLink,
  readDeviceLinkState,
  requireOpenDeviceLinkUserId,
} from './device-links.ts'
import { lockActiveAccount, startSessionAndRecordLogIn } from './log-in.ts'

export const deviceLinkHandlers: EndpointHandlers<typeof deviceLinkEndpoints> = {
  create: async (context) => {
    const { db, me, session, publicSite } = context
    const { token, expires_at } = await transaction(db, async (tx) => {
      await lockAndReadAccountOfConfirmedSession(tx, context)
      return createDeviceLink(tx, me.id, session.token)
    })
    return { link: `${publicSite.origin}/device-log-in#${token}`, expires_at }
  },

  state: ({ db, me }) => readDeviceLinkState(db, me.id),

  cancel: async ({ db, me }) => {
    await transaction(db, (tx) => deleteDeviceLink(tx, me.id))
  },

  check: async ({ db, input }) => {
    const { name, handle } = (await readMailRecipient(
      db,
      await requireOpenDeviceLinkUserId(db, input.token),
    ))!
    return { name, handle }
  },

  use: async (context) => {
    const { db, input, session } = context
    const id = await requireOpenDeviceLinkUserId(db, input.token)
    const previousToken = session.token
    await transaction(db, async (tx) => {
      await lockActiveAccount(tx, id)
      const passkey_id = await consumeDeviceLinkAndReadCreatorPasskeyId(tx, input.token)
      await startSessionAndRecordLogIn(context, tx, { id, previousToken, passkey_id, isByDeviceLink: true })
    })
  },
}
