import { sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import { currentIsoTime, type Db, type Tx } from '#core/database/database.ts'
import type { DomainEvents } from '#core/domain-events.ts'
import { markMediaUnreferenced } from '#core/media/lifecycle.ts'
import { buildAllMemberIdsQuery, insertFormerMemberRowAndReturnId } from '#features/people/deletion.ts'
import { formerMemberLabels } from '#features/people/read.ts'
import { broadcastGroupChange, broadcastPrivateChatAccessChangeToMember } from './broadcasts.ts'
import { lockConversation } from './conversation-locks.ts'
import type { GroupChange } from './group-contract.ts'
import { listOwnedGroupIds, passGroupToSuccessorIfOwner } from './group-owners.ts'
import { listConversationMemberIds } from './read.ts'
import { buildSharesReadMarksCondition } from './read-mark-conditions.ts'
import type { ChatTables } from './tables.ts'

/**
 * Removes a member from all conversations, in the transaction that deletes the member's account. A new former
 * member (see `insertFormerMemberRowAndReturnId`) becomes the author of the member's messages and takes the
 * member's place in the private chats. If the messages are not to be kept, they are first emptied and marked
 * as deleted, as if the member had deleted them. Private chats that nobody else can read, or that contain
 * only deleted messages, are deleted.
 */
export async function removeDeletedMemberFromConversations(
  context: AppContext,
  tx: Tx,
  { id: user, keep_messages }: DomainEvents['member.deleted'],
) {
  const pictures = keep_messages ? [] : await deleteMessages(context, tx, user)
  pictures.push(...(await deleteEmptyPrivateChats(tx, user)))
  await markMediaUnreferenced(tx, pictures)
  tx.afterCommit(() => context.media.deleteUnreferenced(pictures))
  const partners = await listPrivateChatPartners(tx, user)
  const former = await transferMessages(tx, user)
  tx.afterCommit(() => {
    for (const partner of partners) broadcastPrivateChatAccessChangeToMember(context, partner, user)
  })
  await leaveGroups(context, tx, user, former)
}

/** Returns an SQL query for the ids of the private chats of a member. */
const privateChatIds = (user: number) => sql`select m.conversation_id from conversation_members m
  join conversations c on c.id = m.conversation_id where m.user_id = ${user} and c.pair is not null`

/**
 * Empties the messages of a member and marks them as deleted. Returns the names of the pictures and files
 * that the messages had.
 */
async function deleteMessages({ emit }: AppContext, tx: Tx, user: number) {
  const { rows } = await sql<{ media: string }>`delete from message_attachments
    where message_id in (select id from messages where user_id = ${user}) returning media`.execute(tx)
  await sql`delete from pinned_messages
    where message_id in (select id from messages where user_id = ${user})`.execute(tx)
  await sql`delete from forwarded_messages
    where message_id in (select id from messages where user_id = ${user})`.execute(tx)
  const deleted = await tx
    .updateTable('messages')
    .set({ body: '', edited_at: null, deleted_at: currentIsoTime() })
    .where('user_id', '=', user)
    .where('deleted_at', 'is', null)
    .returning('id')
    .execute()
  await emit(tx, 'messages.deleted_with_account', { ids: deleted.map(({ id }) => id) })
  return rows.map(({ media }) => media)
}

/**
 * Deletes the member's private chats whose other person is a former member, and those that contain only
 * deleted messages. Returns the names of the pictures and files in these chats.
 */
async function deleteEmptyPrivateChats(tx: Tx, user: number) {
  const { rows: chats } = await sql<{ id: number }>`select c.id from conversations c
    where c.id in (${privateChatIds(user)}) and (
      not exists (select 1 from messages where conversation_id = c.id and deleted_at is null)
      or not exists (select 1 from conversation_members m
        join ${buildAllMemberIdsQuery(tx)} others on others.id = m.user_id
        where m.conversation_id = c.id and m.user_id <> ${user}))`.execute(tx)
  if (!chats.length) return []
  const ids = sql.join(chats.map(({ id }) => id))
  const { rows } = await sql<{ media: string }>`select i.media from message_attachments i
    join messages m on m.id = i.message_id where m.conversation_id in (${ids})`.execute(tx)
  await sql`delete from conversations where id in (${ids})`.execute(tx)
  return rows.map(({ media }) => media)
}

/** Returns the ids of the people with whom the member has a private chat. */
async function listPrivateChatPartners(tx: Tx, user: number) {
  const { rows } = await sql<{ user_id: number }>`select user_id from conversation_members
    where conversation_id in (${privateChatIds(user)}) and user_id <> ${user}`.execute(tx)
  return rows.map(({ user_id }) => user_id)
}

/**
 * Creates a former member, and makes it the author of the member's messages and the other person of the
 * member's private chats. Returns the id of the former member; null if the member has neither messages nor
 * private chats.
 */
async function transferMessages(tx: Tx, user: number) {
  const { rows } = await sql`select 1 where exists (select 1 from messages where user_id = ${user})
    or exists (${privateChatIds(user)})`.execute(tx)
  if (!rows.length) return null
  const former = await insertFormerMemberRowAndReturnId(tx)
  // In `pair`, the smaller id comes first. The former member is the newest user, so its id comes second.
  await sql`update conversations set pair = (select m.user_id || '.' || ${String(former)}
      from conversation_members m where m.conversation_id = conversations.id and m.user_id <> ${user})
    where id in (${privateChatIds(user)})`.execute(tx)
  // Sets the read mark that others see to 0 if the member did not show others what they have read, so that
  // this stays hidden.
  await sql`update conversation_members set user_id = ${former}, furthest_read_id = case
      when ${buildSharesReadMarksCondition(sql`${user}`)} then furthest_read_id else 0 end
    where user_id = ${user}
      and conversation_id in (select id from conversations where pair is not null)`.execute(tx)
  await tx
    .updateTable('messages')
    .set({ user_id: former, client_id: null })
    .where('user_id', '=', user)
    .execute()
  for (const column of ['actor_id', 'user_id'] as const)
    await tx
      .updateTable('group_changes')
      .set({ [column]: former })
      .where(column, '=', user)
      .execute()
  return former
}

/**
 * Removes the member from all groups, and passes the groups that the member owned to other members. Adds to
 * the history of each group that a former member has left.
 */
async function leaveGroups(context: AppContext, tx: Tx, user: number, former: number | null) {
  for (const group of await listOwnedGroupIds(tx, user)) await lockConversation(tx, group)
  const left = await tx
    .deleteFrom('conversation_members')
    .where('user_id', '=', user)
    .returning('conversation_id')
    .execute()
  for (const { conversation_id } of left) {
    const change = await recordLeave(tx, conversation_id, former)
    const members = await listConversationMemberIds(tx, conversation_id)
    await context.emit(tx, 'group.member_removed', {
      conversation_id,
      user_id: user,
      actor_id: user,
      by_owner: false,
    })
    // The broadcast change has the old id of the member, by which open windows find the member's messages.
    const person = { id: user, name: formerMemberLabels.en, profile_image: null, is_former: true }
    tx.afterCommit(() =>
      broadcastGroupChange(context, conversation_id, { ...change, actor: person, person }, members),
    )
    await passGroupToSuccessorIfOwner(context, tx, conversation_id, user)
  }
}

async function recordLeave(tx: Tx, conversation_id: number, former: number | null) {
  const kind: ChatTables['group_changes']['kind'] = 'left'
  const created_at = currentIsoTime()
  const { id } = await tx
    .insertInto('group_changes')
    .values({ conversation_id, kind, actor_id: former, user_id: former, name: null, created_at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, kind, name: null, created_at } satisfies Partial<GroupChange>
}

/**
 * Returns the number of the member's messages in private chats and in groups, and of the groups that the
 * member is in.
 */
export async function countMessagesAndGroupsOfMember(db: Db, user: number) {
  const { rows } = await sql<Record<'private_messages' | 'group_messages' | 'groups', number>>`select
    count(c.pair) as private_messages, count(c.name) as group_messages,
    (select count(*) from conversation_members m join conversations g on g.id = m.conversation_id
      where m.user_id = ${user} and g.name is not null) as groups
    from messages join conversations c on c.id = messages.conversation_id
    where messages.user_id = ${user} and messages.deleted_at is null`.execute(db)
  const { private_messages, group_messages, groups } = rows[0]!
  return {
    private_messages: Number(private_messages),
    group_messages: Number(group_messages),
    groups: Number(groups),
  }
}
