import { transaction } from '#core/database/transaction.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import * as credentials from '#features/people/credentials.ts'
import * as people from '#features/people/read.ts'
import type { deviceLinkEndpoints } from './contract.ts'
import * as deviceLinks from './device-links.ts'
import { lockForLogIn, startSession } from './log-in.ts'

export const deviceLinkHandlers: Handlers<typeof deviceLinkEndpoints> = {
  create: async (context) => {
    const { db, me, session, publicSite } = context
    const { token, expires_at } = await transaction(db, async (tx) => {
      await credentials.lockConfirmed(tx, context)
      return deviceLinks.create(tx, me.id, session.token)
    })
    return { link: `${publicSite.origin}/device-log-in#${token}`, expires_at }
  },

  state: ({ db, me }) => deviceLinks.getState(db, me.id),

  cancel: async ({ db, me }) => {
    await transaction(db, (tx) => deviceLinks.remove(tx, me.id))
  },

  check: async ({ db, input }) => {
    const { name, handle } = (await people.findRecipient(
      db,
      await deviceLinks.requireOwner(db, input.token),
    ))!
    return { name, handle }
  },

  use: async (context) => {
    const { db, input, session } = context
    const id = await deviceLinks.requireOwner(db, input.token)
    const previousToken = session.token
    await transaction(db, async (tx) => {
      await lockForLogIn(tx, id)
      const passkey_id = await deviceLinks.consume(tx, input.token)
      await startSession(context, tx, { id, previousToken, passkey_id, isByDeviceLink: true })
    })
  },
}
