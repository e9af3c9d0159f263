import '#features/chat/events.ts'
import '#features/people/events.ts'
import '#features/posts/events.ts'
import '#features/replies/events.ts'
import './events.ts'
import type { Db } from '#core/database/database.ts'
import type { DomainEventListeners } from '#core/listeners.ts'
import { listConversationMemberIds } from '#features/chat/read.ts'
import { enqueueAnnouncePostJob, enqueueDeleteAnnouncementNotificationsJob } from './announcements.ts'
import { mentionNotificationDomainEventListeners } from './mention-listeners.ts'
import {
  addNotificationEventAndAnnounce,
  announceNotificationChangesOfDeletedActor,
  announceNotificationsChangedAfterCommit,
  deleteNotificationEventsOfSource,
  deleteNotificationsAboutSubject,
  markNotificationEventEnded,
} from './model.ts'
import { reactionNotificationDomainEventListeners } from './reaction-listeners.ts'
import { markNotificationsOfConversationRead } from './reading.ts'

/**
 * The `subject_id` of all notifications of the kind `follow`. Each member has one such notification, which
 * names all followers.
 */
const ALL_FOLLOWERS = 0

/** The kinds of notifications whose `subject_id` is the id of a group. */
const groupKinds = ['group', 'quote', 'group_mention'] as const

const isInConversation = async (db: Db, conversation: number, user: number) =>
  (await listConversationMemberIds(db, conversation)).includes(user)

/**
 * The listeners that store, end and delete notifications, in the transaction of the action (such as a like)
 * that they are about.
 */
export const notificationDomainEventListeners: DomainEventListeners = {
  ...mentionNotificationDomainEventListeners,
  ...reactionNotificationDomainEventListeners,
  'post.liked': (tx, { id: subject, user_id: actor, author_id: user }, context) =>
    addNotificationEventAndAnnounce(context, tx, { user, kind: 'like', subject, actor }),
  'post.unliked': async (tx, { id: subject, user_id: actor, with_account }, context) => {
    if (!with_account) await markNotificationEventEnded(context, tx, { kind: 'like', subject, actor })
  },
  'post.announced': (tx, post) => enqueueAnnouncePostJob(tx, post),
  'post.deleted': async (tx, { id: subject, user_id: user, with_account }, context) => {
    if (!with_account)
      for (const kind of ['like', 'reaction'] as const)
        await deleteNotificationsAboutSubject(context, tx, { kind, subject, user })
    // Deletes the notifications of all members, because the replies were notified not only to the author of
    // the post but also to members whom a reply answers.
    await deleteNotificationsAboutSubject(context, tx, { kind: 'reply', subject })
    enqueueDeleteAnnouncementNotificationsJob(tx, subject)
  },
  'reply.created': async (tx, reply, context) => {
    const { id: source, post_id: subject, user_id: actor, post_user_id, mentioned_id } = reply
    for (const user of new Set([post_user_id, mentioned_id ?? post_user_id]))
      await addNotificationEventAndAnnounce(context, tx, { user, kind: 'reply', subject, actor, source })
  },
  'reply.deleted': async (tx, { id: source, post_id: subject }, context) => {
    await deleteNotificationEventsOfSource(context, tx, { kind: 'reply', subject, source })
    await deleteNotificationsAboutSubject(context, tx, { kind: 'reply_reaction', subject: source })
  },
  // The foreign keys of the database delete the notifications of the deleted member, and the events of this
  // member in the notifications of others. So the listener only tells the windows of the others.
  'member.deleted': (tx, { id }, context) => announceNotificationChangesOfDeletedActor(context, tx, id),
  // When a member blocks or unblocks another one, only the windows of the member who blocks are told, because
  // an event for the other member would show that there is a block.
  'member.blocked': (tx, { blocker_id }, context) =>
    announceNotificationsChangedAfterCommit(context, tx, blocker_id),
  'member.unblocked': (tx, { blocker_id }, context) =>
    announceNotificationsChangedAfterCommit(context, tx, blocker_id),
  'follow.created': (tx, { follower_id: actor, followed_id: user }, context) =>
    addNotificationEventAndAnnounce(context, tx, { user, kind: 'follow', subject: ALL_FOLLOWERS, actor }),
  'follow.deleted': (tx, { follower_id: actor, followed_id: user }, context) =>
    markNotificationEventEnded(context, tx, { user, kind: 'follow', subject: ALL_FOLLOWERS, actor }),
  'group.member_added': (tx, { conversation_id: subject, user_id: user, actor_id: actor }, context) =>
    addNotificationEventAndAnnounce(context, tx, { user, kind: 'group', subject, actor }),
  'group.member_removed': async (tx, { conversation_id: subject, user_id: user }, context) => {
    for (const kind of groupKinds) await deleteNotificationsAboutSubject(context, tx, { kind, subject, user })
  },
  'group.deleted': async (tx, { conversation_id: subject }, context) => {
    for (const kind of groupKinds) await deleteNotificationsAboutSubject(context, tx, { kind, subject })
  },
  'message.created': async (tx, message, context) => {
    const { id: source, conversation_id: subject, user_id: actor, is_group, quoted_user_id } = message
    const user = message.first_recipient_id
    // A quote in a private chat adds no notification, because each message there is for the other person
    // anyway.
    if (is_group && quoted_user_id !== null && (await isInConversation(tx, subject, quoted_user_id)))
      await addNotificationEventAndAnnounce(context, tx, {
        user: quoted_user_id,
        kind: 'quote',
        subject,
        actor,
        source,
      })
    if (user !== null)
      await addNotificationEventAndAnnounce(context, tx, { user, kind: 'first_message', subject, actor })
  },
  'conversation.read': (tx, read, context) => markNotificationsOfConversationRead(context, tx, read),
  'message.deleted': async (tx, { id: source, conversation_id: subject }, context) => {
    await deleteNotificationEventsOfSource(context, tx, { kind: 'quote', subject, source })
    await deleteNotificationsAboutSubject(context, tx, { kind: 'message_reaction', subject: source })
  },
}
