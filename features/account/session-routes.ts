import { transaction } from '#core/database/transaction.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { httpErrorFactories } from '#core/http/errors.ts'
import { toPagedResponse } from '#core/http/pagination.ts'
import { lockAndReadAccountOfRecentlyConfirmedSession } from '#features/people/credentials.ts'
import { listSecurityEvents, recordSecurityEvent } from '#features/people/security-log.ts'
import { endOtherSessions, endSessionOfMember, listSessions } from '#features/people/sessions.ts'
import type { accountEndpoints } from './contract.ts'
import { deleteDeviceLogInLinkOfMember } from './device-links.ts'
import { enqueueSecurityMail } from './notices.ts'
import { countRecoveryCodes, generateAndHashRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.ts'

type SessionEndpoint = 'sessions' | 'endSession' | 'endOtherSessions' | 'securityEvents'

/** The handlers of the endpoints that list and end the member's sessions and that list the security log. */
export const sessionAndSecurityLogEndpointHandlers: Pick<
  EndpointHandlers<typeof accountEndpoints>,
  SessionEndpoint
> = {
  sessions: ({ db, me, session }) => listSessions(db, me.id, session.token),

  endSession: async ({ db, realtime, me, input, session, client }) => {
    await transaction(db, async (tx) => {
      await lockAndReadAccountOfRecentlyConfirmedSession(tx, { me, session })
      if (!(await endSessionOfMember(tx, realtime, me.id, input.id))) throw httpErrorFactories.notFound()
      await recordSecurityEvent(tx, me.id, 'session_ended', { network: client.network })
    })
  },

  endOtherSessions: async ({ db, realtime, me, session, client }) => {
    const ended = await transaction(db, async (tx) => {
      await lockAndReadAccountOfRecentlyConfirmedSession(tx, { me, session })
      const count = await endOtherSessions(tx, realtime, me.id, session.token)
      await deleteDeviceLogInLinkOfMember(tx, me.id)
      if (count) await recordSecurityEvent(tx, me.id, 'session_ended', { network: client.network })
      return count
    })
    return { ended }
  },

  securityEvents: async ({ db, me, input }) => {
    const rows = await listSecurityEvents(db, me.id, input)
    return toPagedResponse(
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

/** The handlers of the endpoints that count and create the member's recovery codes. */
export const recoveryCodeEndpointHandlers: Pick<
  EndpointHandlers<typeof accountEndpoints>,
  RecoveryCodeEndpoint
> = {
  recoveryCodes: async ({ db, me }) => ({ left: await countRecoveryCodes(db, me.id) }),

  createRecoveryCodes: async (context) => {
    const { db, me, client, lang } = context
    const created = await generateAndHashRecoveryCodes(me.id, client.network)
    const codes = await transaction(db, async (tx) => {
      await lockAndReadAccountOfRecentlyConfirmedSession(tx, context)
      await recordSecurityEvent(tx, me.id, 'recovery_codes_created', { network: client.network })
      await enqueueSecurityMail(context, tx, {
        user: me.id,
        kind: 'recovery_codes_created',
        lang,
        client,
      })
      return replaceRecoveryCodes(tx, me.id, created)
    })
    return { codes }
  },
}
