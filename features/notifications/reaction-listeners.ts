import '#features/reactions/events.ts'
import { type AppContext, createMemberContextWithoutRoles } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import type { DomainEvents } from '#core/domain-events.ts'
import type { DomainEventListeners } from '#core/listeners.ts'
import { hasMemberWithId } from '#features/people/deletion.ts'
import { hasReactedWithAnyEmoji, isVisibleReactionSubject } from '#features/reactions/read.ts'
import {
  addNotificationEventAndAnnounce,
  announceNotificationsChangedAfterCommit,
  markNotificationEventEnded,
} from './model.ts'

type ReactionEvent = DomainEvents['reaction.added']

/**
 * The kind of the notification about a reaction to a post, reply or message. The `subject_id` of the
 * notification is the id of that post, reply or message.
 */
const kinds = { post: 'reaction', reply: 'reply_reaction', message: 'message_reaction' } as const

/**
 * The listeners that store notifications about reactions, in the transaction of the reaction. A person has
 * one event for each post, reply or message, whatever the number of emoji. The emoji themselves are read from
 * the reactions when a notification is shown.
 */
export const reactionNotificationDomainEventListeners: DomainEventListeners = {
  'reaction.added': async (tx, reaction, context) => {
    const { subject, subject_id, author_id: user, user_id: actor } = reaction
    if (user !== actor && (await maySeeOwn(context, tx, reaction)))
      await addNotificationEventAndAnnounce(context, tx, {
        user,
        kind: kinds[subject],
        subject: subject_id,
        actor,
      })
  },
  'reaction.removed': async (tx, { subject, subject_id, author_id: user, user_id: actor }, context) => {
    if (user === actor) return
    if (await hasReactedWithAnyEmoji(tx, subject, subject_id, actor))
      announceNotificationsChangedAfterCommit(context, tx, user, { people: [actor] })
    else
      await markNotificationEventEnded(context, tx, {
        user,
        kind: kinds[subject],
        subject: subject_id,
        actor,
      })
  },
}

/**
 * Returns whether the author still has an account and may see their own post, reply or message. The author
 * may have left the group, or may no longer see the post of a reply.
 */
async function maySeeOwn(context: AppContext, tx: Tx, { subject, subject_id, author_id }: ReactionEvent) {
  const author = { ...createMemberContextWithoutRoles(context, author_id), db: tx }
  return (
    (await hasMemberWithId(tx, author_id)) && (await isVisibleReactionSubject(author, subject, subject_id))
  )
}
