import { recordAuditLogEntry } from '#core/audit-log/audit-log.ts'
import type { AppContext } from '#core/context.ts'
import { transaction } from '#core/database/transaction.ts'
import { createInvitationLink, insertInvitationAndReturnCode, type NewInvitation } from './invitations.ts'

/**
 * Creates an invitation as the operator, at the command line. Returns its link, which contains the code, and
 * the time at which it expires.
 */
export const createInvitationAsOperator = (
  { db, publicSite }: Pick<AppContext, 'db'> & { publicSite: { origin: string } },
  invitation: Omit<NewInvitation, 'group_id'>,
) =>
  transaction(db, async (tx) => {
    const { id, code, expires_at } = await insertInvitationAndReturnCode(tx, null, invitation, 'operator')
    await recordAuditLogEntry(tx, { action: 'invitation_created', subject: 'invitation', subject_id: id })
    return { link: createInvitationLink(publicSite, code), expires_at }
  })
