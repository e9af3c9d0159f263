import { type SqlBool, sql } from 'kysely'
import { type AppContext, type MemberContext, withoutRoles } from '#core/context.ts'
import { isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { DomainEvents } from '#core/feature/events.ts'
import * as read from '#features/replies/read.ts'
import { kindsAboutPosts } from './contract.ts'
import * as notifier from './model.ts'
import * as ownNotifications from './read.ts'

// A notification about a reaction to a message stays unread: a read mark does not tell that the message was
// on the screen.

/** About reactions to the member's replies, in one call. */
const MAX_REPLIES = 100

/** The input of the endpoint `markPostRead`. */
interface ShownPost {
  post_id: number
  last_event_id: number
  first_reply_id?: number | undefined
  last_reply_id?: number | undefined
}

const lockInOrder = sql`order by id for update`
const withoutLock = sql``

/** About messages up to the read mark, and about the start of the conversation. */
export async function markChatRead(
  context: AppContext,
  tx: Tx,
  { user_id, conversation_id, last_read_id }: DomainEvents['conversation.read'],
) {
  // SQL text, because it runs for each read mark that moves, almost always without a row, and a builder takes
  // more processor time. Without `order by`, SQLite reads the unique index and not all unread notifications.
  const { rows: unread } = await sql<{ id: number }>`select id from notifications
    where user_id = ${user_id} and kind in ('quote', 'group_mention', 'group_poll_reminder', 'group', 'first_message')
      and subject_id = ${conversation_id} and last_event_id > read_event_id
    ${isPostgres(tx) ? lockInOrder : withoutLock}`.execute(tx)
  if (!unread.length) return
  const viewer = { ...withoutRoles(context, user_id), db: tx }
  await markSeen(viewer, tx, unread, sql`e.source_id > ${last_read_id}`)
}

/** See the endpoint `markPostRead`. A mention in a reply that the page has not loaded stays unread. */
export function markPostRead(context: MemberContext, page: ShownPost) {
  const { post_id, last_event_id, first_reply_id: first = 0, last_reply_id: last = 0 } = page
  return transaction(context.db, async (tx) => {
    const viewer = { ...context, db: tx }
    const query = lockUnreadQuery(tx, context.me.id).where('last_event_id', '<=', last_event_id)
    const aboutPost = await query
      .where('kind', 'in', ['like', 'reaction', ...kindsAboutPosts])
      .where('subject_id', '=', post_id)
      .execute()
    const newPosts = await query
      .where('kind', '=', 'new_post')
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('notification_events')
            .select('notification_events.id')
            .whereRef('notification_events.notification_id', '=', 'notifications.id')
            .where('source_id', '=', post_id),
        ),
      )
      .execute()
    const aboutReplies = await query
      .where('kind', '=', 'reply_reaction')
      .where('subject_id', '>=', first)
      .where('subject_id', '<=', last)
      .limit(MAX_REPLIES)
      .execute()
    const replies = await read.texts(
      viewer,
      aboutReplies.map(({ subject_id }) => subject_id),
    )
    const isOnPage = (one: { subject_id: number }) => replies.get(one.subject_id)?.post_id === post_id
    const isUnseen = sql<SqlBool>`(n.kind in ('reply', 'mention') and e.source_id > ${last}) or
      (n.kind = 'mention' and e.source_id > 0 and e.source_id < ${first}) or
      (n.kind = 'new_post' and e.source_id <> ${post_id})`
    await markSeen(viewer, tx, [...aboutPost, ...newPosts, ...aboutReplies.filter(isOnPage)], isUnseen)
    return ownNotifications.countUnread(viewer)
  })
}

/** See the endpoint `markPostsSeen`. */
export const markPostsSeen = (context: MemberContext, posts: readonly number[]) =>
  transaction(context.db, async (tx) => {
    const viewer = { ...context, db: tx }
    const unread = await lockUnreadQuery(tx, context.me.id).where('kind', '=', 'new_post').execute()
    await markSeen(viewer, tx, unread, sql`e.source_id not in (${sql.join(posts)})`)
    return ownNotifications.countUnread(viewer)
  })

/** PostgreSQL locks them: the next statement sees all events up to `last_event_id`, and none is added. */
const lockUnreadQuery = (tx: Tx, user: number) =>
  tx
    .selectFrom('notifications')
    .select(['id', 'subject_id'])
    .where('user_id', '=', user)
    .whereRef('last_event_id', '>', 'read_event_id')
    .$if(isPostgres(tx), (query) => query.orderBy('id').forUpdate())

/**
 * Only the locked `n` whose unread events `e` by people whom the member sees have all been seen.
 * `isUnseen` is the condition that the member has not seen an event.
 */
async function markSeen(
  viewer: MemberContext,
  tx: Tx,
  locked: readonly { id: number }[],
  isUnseen: ReturnType<typeof sql<SqlBool>>,
) {
  if (!locked.length) return
  const unseenEvents = ownNotifications
    .visibleEvents(viewer)
    .clearSelect()
    .select(sql<number>`max(case when ${isUnseen} then 1 else 0 end)`.as('has_unseen'))
    .where(sql<SqlBool>`e.id > n.read_event_id`)
  const { numUpdatedRows } = await tx
    .updateTable('notifications as n')
    .set(({ ref }) => ({ read_event_id: ref('n.last_event_id') }))
    .where(
      'n.id',
      'in',
      locked.map(({ id }) => id),
    )
    .where(sql<SqlBool>`(${unseenEvents}) = 0`)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows) notifier.announce(viewer, tx, viewer.me.id, { isOnlyRead: true })
}
