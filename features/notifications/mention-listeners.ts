import '#features/mentions/events.ts'
import { currentIsoTime, isPostgres, type Tx } from '#core/database/database.ts'
import type { DomainEvents } from '#core/domain-events.ts'
import type { DomainEventListeners } from '#core/listeners.ts'
import { readMessageOfDomainEventWithoutCheck } from '#features/chat/read-for-listeners.ts'
import { readReplyForListenersWithoutCheck } from '#features/replies/read-for-listeners.ts'
import {
  addNotificationEventAndAnnounce,
  announceNotificationsChangedAfterCommit,
  recalculateLastEventIdOfNotification,
} from './model.ts'

type Mention = DomainEvents['mention.created']

/**
 * The listeners that store and end notifications about mentions, in the transaction that stores or deletes
 * the mention.
 */
export const mentionNotificationDomainEventListeners: DomainEventListeners = {
  'mention.created': async (tx, mention, context) => {
    const { user_id: actor, mentioned_id: user } = mention
    const subject = await findSubject(tx, mention)
    if (subject === undefined) return
    await addNotificationEventAndAnnounce(context, tx, { user, actor, subject, ...toKindAndSource(mention) })
  },
  // Marks the event of the mention as ended instead of deleting it. So a member who removes a mention and
  // adds it again makes the notification unread only once.
  'mention.deleted': async (tx, mention, context) => {
    const { user_id: actor, mentioned_id: user } = mention
    const ended = await findMentionEvent(tx, mention)
    if (!ended) return
    await tx
      .updateTable('notification_events')
      .set({ ended_at: currentIsoTime() })
      .where('id', '=', ended.id)
      .execute()
    await recalculateLastEventIdOfNotification(tx, ended.notification_id, user)
    announceNotificationsChangedAfterCommit(context, tx, user, { people: [actor] })
  },
}

const toKindAndSource = ({ source, source_id }: Mention) => ({
  kind: source === 'message' ? ('group_mention' as const) : ('mention' as const),
  // For a mention in a post, `source` is 0, because the post is already the subject of the notification and
  // mentions each member at most once.
  source: source === 'post' ? 0 : source_id,
})

/**
 * Returns the `subject_id` of the notification about a mention: the id of the post or of the group. Returns
 * undefined if the member gets no such notification: in a private chat, each message is for the member
 * anyway, and a message that quotes the member causes a notification of the kind `quote`. For replies, the
 * feature `mentions` leaves out the author of the post and the answered member, because they get a
 * notification of the kind `reply`.
 */
async function findSubject(tx: Tx, { source, source_id, mentioned_id }: Mention) {
  if (source === 'post') return source_id
  if (source === 'reply') return (await readReplyForListenersWithoutCheck(tx, source_id))?.post_id
  const message = await readMessageOfDomainEventWithoutCheck(tx, { id: source_id })
  return message?.is_group && message.quoted_user_id !== mentioned_id ? message.conversation_id : undefined
}

/**
 * Finds the stored event of a mention by the ids of the text and of its author, because a deleted reply no
 * longer names its post. Locks the notification on PostgreSQL, as `addNotificationEventAndAnnounce` does.
 */
function findMentionEvent(tx: Tx, mention: Mention) {
  const { kind, source } = toKindAndSource(mention)
  return tx
    .selectFrom('notifications as n')
    .innerJoin('notification_events as e', 'e.notification_id', 'n.id')
    .select(['e.id', 'e.notification_id'])
    .where('n.user_id', '=', mention.mentioned_id)
    .where('n.kind', '=', kind)
    .$if(mention.source === 'post', (query) => query.where('n.subject_id', '=', mention.source_id))
    .where('e.actor_id', '=', mention.user_id)
    .where('e.source_id', '=', source)
    .where('e.ended_at', 'is', null)
    .$if(isPostgres(tx), (query) => query.forUpdate('n'))
    .executeTakeFirst()
}
