import { transaction } from '#core/database/transaction.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import { httpErrors } from '#core/http/errors.ts'
import { paged } from '#core/http/pagination.ts'
import * as credentials from '#features/people/credentials.ts'
import * as securityLog from '#features/people/security-log.ts'
import * as sessions from '#features/people/sessions.ts'
import type { accountEndpoints } from './contract.ts'
import * as deviceLinks from './device-links.ts'
import { sendSecurityMail } from './notices.ts'
import * as recoveryCodes from './recovery-codes.ts'

type SessionEndpoint = 'sessions' | 'endSession' | 'endOtherSessions' | 'securityEvents'

export const sessionHandlers: Pick<Handlers<typeof accountEndpoints>, SessionEndpoint> = {
  sessions: ({ db, me, session }) => sessions.list(db, me.id, session.token),

  endSession: async ({ db, realtime, me, input, session, client }) => {
    await transaction(db, async (tx) => {
      await credentials.lockConfirmed(tx, { me, session })
      if (!(await sessions.endOfMember(tx, realtime, me.id, input.id))) throw httpErrors.notFound()
      await securityLog.record(tx, me.id, 'session_ended', { network: client.network })
    })
  },

  endOtherSessions: async ({ db, realtime, me, session, client }) => {
    const ended = await transaction(db, async (tx) => {
      await credentials.lockConfirmed(tx, { me, session })
      const count = await sessions.endOthers(tx, realtime, me.id, session.token)
      await deviceLinks.remove(tx, me.id)
      if (count) await securityLog.record(tx, me.id, 'session_ended', { network: client.network })
      return count
    })
    return { ended }
  },

  securityEvents: async ({ db, me, input }) => {
    const rows = await securityLog.list(db, me.id, input)
    return paged(
      rows,
      input.limit,
      (last) => ({ before: last.id }),
      (shown) =>
        shown.map(({ actor_id, ...row }) => ({
          ...row,
          by_admin: actor_id !== null && actor_id !== me.id,
        })),
    )
  },
}

type RecoveryCodeEndpoint = 'recoveryCodes' | 'createRecoveryCodes'

export const recoveryHandlers: Pick<Handlers<typeof accountEndpoints>, RecoveryCodeEndpoint> = {
  recoveryCodes: async ({ db, me }) => ({ left: await recoveryCodes.countLeft(db, me.id) }),

  createRecoveryCodes: async (context) => {
    const { db, me, client, lang } = context
    const created = await recoveryCodes.generate(me.id, client.network)
    const codes = await transaction(db, async (tx) => {
      await credentials.lockConfirmed(tx, context)
      await securityLog.record(tx, me.id, 'recovery_codes_created', { network: client.network })
      await sendSecurityMail(context, tx, {
        user: me.id,
        kind: 'recovery_codes_created',
        lang,
        client,
      })
      return recoveryCodes.replace(tx, me.id, created)
    })
    return { codes }
  },
}
