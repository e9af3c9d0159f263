import * as auditLog from '#core/audit-log/audit-log.ts'
import type { AppContext } from '#core/context.ts'
import { transaction } from '#core/database/transaction.ts'
import type { NewInvitation } from './invitations.ts'
import * as invitations from './invitations.ts'

/** At the command line. The link contains the code. */
export const createInvitation = (
  { db, publicSite }: Pick<AppContext, 'db'> & { publicSite: { origin: string } },
  invitation: Omit<NewInvitation, 'group_id'>,
) =>
  transaction(db, async (tx) => {
    const { id, code, expires_at } = await invitations.insert(tx, null, invitation, 'operator')
    await auditLog.record(tx, { action: 'invitation_created', subject: 'invitation', subject_id: id })
    return { link: invitations.link(publicSite, code), expires_at }
  })
