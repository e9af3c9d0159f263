import { type AppContext, createMemberContextWithoutRoles } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import type { DomainEvents } from '#core/domain-events.ts'
import { lockConversation } from './conversation-locks.ts'
import { addGroupMemberWithoutRightsCheck, hasRoomInGroup } from './groups.ts'
import { listConversationMemberIds, requireGroupMembership } from './read.ts'

/**
 * Throws 403 unless the member who makes an invitation is a member of the group that the invitation names.
 */
export const requireInviterIsGroupMember = (
  context: AppContext,
  tx: Tx,
  { group_id, actor_id }: DomainEvents['invitation.group_named'],
) => requireGroupMembership({ ...createMemberContextWithoutRoles(context, actor_id), db: tx }, group_id)

/**
 * Adds a person who has registered with an invitation to the group of the invitation, in the transaction of
 * the registration. Does nothing if the group is gone or full, or if the member who made the invitation is no
 * longer in the group.
 */
export async function addNewMemberToGroupOfInvitation(
  context: AppContext,
  tx: Tx,
  { user_id, group_id, inviter_id }: DomainEvents['invitation.used'],
) {
  const members = await listConversationMemberIds(tx, group_id)
  if (!members.includes(inviter_id)) return
  await lockConversation(tx, group_id)
  const inviter = { ...createMemberContextWithoutRoles(context, inviter_id), db: tx }
  if (await hasRoomInGroup(inviter, group_id))
    await addGroupMemberWithoutRightsCheck(inviter, group_id, user_id)
}
