import { type AppContext, withoutRoles } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import type { DomainEvents } from '#core/feature/events.ts'
import { lockConversation } from '#features/conversations/locks.ts'
import * as chats from '#features/conversations/read.ts'
import * as groupModel from './model.ts'

/** 403 unless the inviter is a member of the group that the invitation names. */
export const requireInviter = (
  context: AppContext,
  tx: Tx,
  { group_id, actor_id }: DomainEvents['invitation.group_named'],
) => chats.requireMember({ ...withoutRoles(context, actor_id), db: tx }, group_id)

/**
 * In the transaction of the registration. Does nothing if the group is gone or full, or the inviter has left
 * it.
 */
export async function addInvited(
  context: AppContext,
  tx: Tx,
  { user_id, group_id, inviter_id }: DomainEvents['invitation.used'],
) {
  const members = await chats.listMemberIds(tx, group_id)
  if (!members.includes(inviter_id)) return
  await lockConversation(tx, group_id)
  if (
    (await chats.requireMember({ ...withoutRoles(context, inviter_id), db: tx }, group_id)).ended_at !== null
  )
    return
  const inviter = { ...withoutRoles(context, inviter_id), db: tx }
  if (await groupModel.hasRoom(inviter, group_id)) await groupModel.addMember(inviter, group_id, user_id)
}
