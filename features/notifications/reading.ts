import { type SqlBool, sql } from 'kysely'
import { type AppContext, createMemberContextWithoutRoles, type MemberContext } from '#core/context.ts'
import { isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { DomainEvents } from '#core/domain-events.ts'
import { readVisibleReplyTextsAndPostIdsById } from '#features/replies/read.ts'
import { announceNotificationsChangedAfterCommit } from './model.ts'
import { buildVisibleEventsOfOuterNotificationQuery, readUnreadNotificationCountResponse } from './read.ts'

// This file marks notifications as read when the member sees what they are about: a chat up to a read mark,
// or the page of a post. A notification about a reaction to a message stays unread, because a read mark does
// not tell that the message was on the screen.

/**
 * The maximum number of notifications about reactions to the member's replies that one call marks as read.
 */
const MAX_REPLIES_WITH_REACTIONS = 100

/** The content of a post's page in the member's browser: the input of the endpoint `markPostRead`. */
interface ShownPost {
  post_id: number
  last_event_id: number
  first_reply_id?: number | undefined
  last_reply_id?: number | undefined
}

const lockInOrder = sql`order by id for update`
const withoutLock = sql``

/**
 * Marks the member's notifications about a conversation as read: those about messages with ids up to the read
 * mark, and those about the start of the conversation.
 */
export async function markNotificationsOfConversationRead(
  context: AppContext,
  tx: Tx,
  { user_id, conversation_id, last_read_id }: DomainEvents['conversation.read'],
) {
  // This query is SQL text, because a query builder would take more processor time: the query runs for each
  // read mark that moves, and almost always finds no row. Without `order by`, SQLite reads the unique index
  // and not all unread notifications.
  const { rows: unread } = await sql<{ id: number }>`select id from notifications
    where user_id = ${user_id} and kind in ('quote', 'group_mention', 'group', 'first_message')
      and subject_id = ${conversation_id} and last_event_id > read_event_id
    ${isPostgres(tx) ? lockInOrder : withoutLock}`.execute(tx)
  if (!unread.length) return
  const viewer = { ...createMemberContextWithoutRoles(context, user_id), db: tx }
  await markSeenNotificationsRead(viewer, tx, unread, sql`e.source_id > ${last_read_id}`)
}

/**
 * Marks the member's notifications as read that are about what the page of a post shows (see the endpoint
 * `markPostRead`). A mention in a reply that the page has not loaded stays unread. Returns the number of
 * notifications that are still unread.
 */
export function markNotificationsAboutPostRead(context: MemberContext, page: ShownPost) {
  const { post_id, last_event_id, first_reply_id: first = 0, last_reply_id: last = 0 } = page
  return transaction(context.db, async (tx) => {
    const viewer = { ...context, db: tx }
    const query = lockUnreadNotificationsQuery(tx, context.me.id).where('last_event_id', '<=', last_event_id)
    const aboutPost = await query
      .where('kind', 'in', ['like', 'reaction', 'reply', 'mention', 'announcement'])
      .where('subject_id', '=', post_id)
      .execute()
    const aboutReplies = await query
      .where('kind', '=', 'reply_reaction')
      .where('subject_id', '>=', first)
      .where('subject_id', '<=', last)
      .limit(MAX_REPLIES_WITH_REACTIONS)
      .execute()
    const replies = await readVisibleReplyTextsAndPostIdsById(
      viewer,
      aboutReplies.map(({ subject_id }) => subject_id),
    )
    const isOnPage = (one: { subject_id: number }) => replies.get(one.subject_id)?.post_id === post_id
    const isUnseen = sql<SqlBool>`e.source_id > ${last} or
      (n.kind = 'mention' and e.source_id > 0 and e.source_id < ${first})`
    await markSeenNotificationsRead(viewer, tx, [...aboutPost, ...aboutReplies.filter(isOnPage)], isUnseen)
    return readUnreadNotificationCountResponse(viewer)
  })
}

/**
 * Builds a query for the unread notifications of a member. On PostgreSQL, the query locks them, so that the
 * next statement sees all events up to their `last_event_id`, and no event is added before the commit.
 */
const lockUnreadNotificationsQuery = (tx: Tx, user: number) =>
  tx
    .selectFrom('notifications')
    .select(['id', 'subject_id'])
    .where('user_id', '=', user)
    .whereRef('last_event_id', '>', 'read_event_id')
    .$if(isPostgres(tx), (query) => query.orderBy('id').forUpdate())

/**
 * Marks those of the locked notifications `n` as read that have unread events `e` by people whom the member
 * may see and has not muted, if the member has seen all of these events: `isUnseen` is the condition that the
 * member has not seen an event. Tells all windows of the member.
 */
async function markSeenNotificationsRead(
  viewer: MemberContext,
  tx: Tx,
  locked: readonly { id: number }[],
  isUnseen: ReturnType<typeof sql<SqlBool>>,
) {
  if (!locked.length) return
  const unseenEvents = buildVisibleEventsOfOuterNotificationQuery(viewer)
    .clearSelect()
    .select(sql<number>`max(case when ${isUnseen} then 1 else 0 end)`.as('has_unseen'))
    .where(sql<SqlBool>`e.id > n.read_event_id`)
  const { numUpdatedRows } = await tx
    .forRowsOfMember(viewer.me.id)
    .updateTable('notifications as n')
    .set(({ ref }) => ({ read_event_id: ref('n.last_event_id') }))
    .where(
      'n.id',
      'in',
      locked.map(({ id }) => id),
    )
    .where(sql<SqlBool>`(${unseenEvents}) = 0`)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows) announceNotificationsChangedAfterCommit(viewer, tx, viewer.me.id, { isOnlyRead: true })
}
