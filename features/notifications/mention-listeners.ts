import '#features/mentions/events.ts'
import { isoNow, isPostgres, type Tx } from '#core/database/database.ts'
import type { DomainEvents } from '#core/feature/events.ts'
import type { Listeners } from '#core/feature/listeners.ts'
import { findEventMessage } from '#features/messages/event-message.ts'
import { replyOfEvent } from '#features/replies/read-for-listeners.ts'
import * as notifier from './model.ts'

type Mention = DomainEvents['mention.created']

/** In the transaction that stores or deletes the mention. */
export const mentionListeners: Listeners = {
  'mention.created': async (tx, mention, context) => {
    const { user_id: actor, mentioned_id: user } = mention
    const subject = await findSubject(tx, mention)
    if (subject === undefined) return
    await notifier.add(context, tx, { user, actor, subject, ...toKindAndSource(mention) })
  },
  // Ended instead of deleted: a member who removes and adds a mention makes it unread only once.
  'mention.deleted': async (tx, mention, context) => {
    const { user_id: actor, mentioned_id: user } = mention
    const ended = await findMentionEvent(tx, mention)
    if (!ended) return
    await tx
      .updateTable('notification_events')
      .set({ ended_at: isoNow() })
      .where('id', '=', ended.id)
      .execute()
    await notifier.recalculate(tx, ended.notification_id, user)
    notifier.announce(context, tx, user, { people: [actor] })
  },
}

const toKindAndSource = ({ source, source_id }: Mention) => ({
  kind: source === 'message' ? ('group_mention' as const) : ('mention' as const),
  // The post is already the subject, and mentions each member at most once.
  source: source === 'post' ? 0 : source_id,
})

/**
 * A post or a group. Undefined for no such notification: in a private chat each message is for the member
 * anyway, and a quote causes one of the kind `quote`. The feature `mentions` leaves out people who get a
 * `reply`.
 */
async function findSubject(tx: Tx, { source, source_id, mentioned_id }: Mention) {
  if (source === 'post') return source_id
  if (source === 'reply') return (await replyOfEvent(tx, source_id))?.post_id
  const message = await findEventMessage(tx, { id: source_id })
  return message?.is_group && message.quoted_user_id !== mentioned_id ? message.conversation_id : undefined
}

/** By text and author: a deleted reply no longer names its post. Locks the notification on PostgreSQL. */
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
