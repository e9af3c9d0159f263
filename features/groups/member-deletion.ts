import type { AppContext } from '#core/context.ts'
import { isoNow, type Tx } from '#core/database/database.ts'
import type { DomainEvents } from '#core/feature/events.ts'
import type { GroupChange } from '#features/conversations/contract.ts'
import { lockConversation } from '#features/conversations/locks.ts'
import * as chats from '#features/conversations/read.ts'
import type { ChatTables } from '#features/conversations/tables.ts'
import * as people from '#features/people/read.ts'
import * as broadcasts from './broadcasts.ts'
import * as owners from './owners.ts'

/**
 * In the transaction that deletes the account. The histories name the former member, who also leaves the
 * groups.
 */
export async function handOver(
  context: AppContext,
  tx: Tx,
  { user_id, former_id }: DomainEvents['chats.handed_over'],
) {
  if (former_id !== null)
    for (const column of ['actor_id', 'user_id'] as const)
      await tx
        .updateTable('group_changes')
        .set({ [column]: former_id })
        .where(column, '=', user_id)
        .execute()
  await leaveGroups(context, tx, user_id, former_id)
}

/** Passes owned groups on. The history of each group says that a former member has left. */
async function leaveGroups(context: AppContext, tx: Tx, user: number, former: number | null) {
  for (const group of await owners.listOwned(tx, user)) await lockConversation(tx, group)
  const left = await tx
    .deleteFrom('conversation_members')
    .where('user_id', '=', user)
    .returning('conversation_id')
    .execute()
  for (const { conversation_id } of left) {
    const change = await recordLeave(tx, conversation_id, former)
    const members = await chats.listMemberIds(tx, conversation_id)
    await context.emit(tx, 'group.member_removed', {
      conversation_id,
      user_id: user,
      actor_id: user,
      by_owner: false,
    })
    // Open windows find the member's messages by the old id.
    const person = { id: user, name: people.formerLabels.en, profile_image: null, is_former: true }
    tx.afterCommit(() =>
      broadcasts.groupChanged(context, conversation_id, { ...change, actor: person, person }, members),
    )
    await owners.passOn(context, tx, conversation_id, user)
  }
}

async function recordLeave(tx: Tx, conversation_id: number, former: number | null) {
  const kind: ChatTables['group_changes']['kind'] = 'left'
  const created_at = isoNow()
  const { id } = await tx
    .insertInto('group_changes')
    .values({ conversation_id, kind, actor_id: former, user_id: former, name: null, created_at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, kind, name: null, created_at } satisfies Partial<GroupChange>
}
