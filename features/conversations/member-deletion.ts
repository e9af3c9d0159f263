import { sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import { type Db, isoNow, type Tx } from '#core/database/database.ts'
import type { DomainEvents } from '#core/feature/events.ts'
import * as lifecycle from '#core/media/lifecycle.ts'
import { addFormerMember, allMemberIds } from '#features/people/deletion.ts'
import * as broadcasts from './broadcasts.ts'
import { sharingCondition } from './read-mark-conditions.ts'

/**
 * In the transaction that deletes the account. A new former member becomes the author of the messages and the
 * person of the private chats. Without `keep_messages` they are emptied first, as if the member had deleted
 * them. Private chats that nobody else can read, or with deleted messages only, are deleted.
 */
export async function deleteOfMember(
  context: AppContext,
  tx: Tx,
  { id: user, keep_messages }: DomainEvents['member.deleted'],
) {
  const pictures = keep_messages ? [] : await deleteMessages(context, tx, user)
  pictures.push(...(await deleteEmptyPrivateChats(tx, user)))
  await lifecycle.detach(tx, pictures)
  tx.afterCommit(() => context.media.deleteUnreferenced(pictures))
  const partners = await listPrivateChatPartners(tx, user)
  const former = await transferMessages(tx, user)
  tx.afterCommit(() => {
    for (const partner of partners) broadcasts.accessChanged(context, partner, user)
  })
  await context.emit(tx, 'chats.handed_over', { user_id: user, former_id: former })
}

const privateChatIds = (user: number) => sql`select m.conversation_id from conversation_members m
  join conversations c on c.id = m.conversation_id where m.user_id = ${user} and c.pair is not null`

/** Returns the names of the pictures and files that the messages had. */
async function deleteMessages({ emit }: AppContext, tx: Tx, user: number) {
  const { rows } = await sql<{ media: string }>`delete from message_attachments
    where message_id in (select id from messages where user_id = ${user}) returning media`.execute(tx)
  const deleted = await tx
    .updateTable('messages')
    .set({ body: '', edited_at: null, deleted_at: isoNow() })
    .where('user_id', '=', user)
    .where('deleted_at', 'is', null)
    .returning('id')
    .execute()
  await emit(tx, 'messages.deleted_with_account', { ids: deleted.map(({ id }) => id) })
  return rows.map(({ media }) => media)
}

/**
 * Chats with a former member, or with deleted messages only. Returns the names of their pictures and files.
 */
async function deleteEmptyPrivateChats(tx: Tx, user: number) {
  const { rows: chats } = await sql<{ id: number }>`select c.id from conversations c
    where c.id in (${privateChatIds(user)}) and (
      not exists (select 1 from messages where conversation_id = c.id and deleted_at is null)
      or not exists (select 1 from conversation_members m
        join ${allMemberIds(tx)} others on others.id = m.user_id
        where m.conversation_id = c.id and m.user_id <> ${user}))`.execute(tx)
  if (!chats.length) return []
  const ids = sql.join(chats.map(({ id }) => id))
  const { rows } = await sql<{ media: string }>`select i.media from message_attachments i
    join messages m on m.id = i.message_id where m.conversation_id in (${ids})`.execute(tx)
  await sql`delete from conversations where id in (${ids})`.execute(tx)
  return rows.map(({ media }) => media)
}

async function listPrivateChatPartners(tx: Tx, user: number) {
  const { rows } = await sql<{ user_id: number }>`select user_id from conversation_members
    where conversation_id in (${privateChatIds(user)}) and user_id <> ${user}`.execute(tx)
  return rows.map(({ user_id }) => user_id)
}

/** Returns the id of the former member; null if there are neither messages nor private chats. */
async function transferMessages(tx: Tx, user: number) {
  const { rows } = await sql`select 1 where exists (select 1 from messages where user_id = ${user})
    or exists (${privateChatIds(user)})`.execute(tx)
  if (!rows.length) return null
  const former = await addFormerMember(tx)
  // The smaller id comes first in `pair`; the former member is the newest user.
  await sql`update conversations set pair = (select m.user_id || '.' || ${String(former)}
      from conversation_members m where m.conversation_id = conversations.id and m.user_id <> ${user})
    where id in (${privateChatIds(user)})`.execute(tx)
  // A member who did not show their read marks still does not.
  await sql`update conversation_members set user_id = ${former}, furthest_read_id = case
      when ${sharingCondition(sql`${user}`)} then furthest_read_id else 0 end
    where user_id = ${user}
      and conversation_id in (select id from conversations where pair is not null)`.execute(tx)
  await tx
    .updateTable('messages')
    .set({ user_id: former, client_id: null })
    .where('user_id', '=', user)
    .execute()
  return former
}

export async function countOfMember(db: Db, user: number) {
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
