import '#features/chat/events.ts'
import '#features/people/events.ts'
import '#features/posts/events.ts'
import './events.ts'
import { startHourlyCleanup } from '#core/hourly-cleanup.ts'
import { defineModule } from '#core/module.ts'
import { findRecipientOfFirstMessage } from '#features/chat/read-conversations.ts'
import { findPostAuthorId } from '#features/posts/read.ts'
import { notificationEndpoints } from './contract.ts'
import { notificationExportSection } from './export.ts'
import {
  addNotificationEvent,
  announceChangeAfterCommit,
  announceChangesAfterActorDeletion,
  deleteNotificationsAbout,
  deleteOldNotifications,
  markNotificationEventEnded,
} from './model.ts'
import { pages } from './pages.ts'
import { notificationRoutes } from './routes.ts'
import { migrations } from './tables.ts'

/** The `subject_id` of each member's notification that names all followers of the member. */
const ALL_FOLLOWERS = 0

export const notificationsModule = defineModule({
  name: 'notifications',
  pages,
  initialData: [notificationEndpoints.unread],
  migrations,
  exportSection: notificationExportSection,
  contracts: { notifications: notificationEndpoints },
  routes: () => ({ notifications: notificationRoutes }),
  listeners: {
    'post.liked': async (tx, { id: subject, user_id: actor }, context) => {
      const user = await findPostAuthorId(tx, subject)
      if (user !== undefined) await addNotificationEvent(context, tx, { user, kind: 'like', subject, actor })
    },
    'post.unliked': async (tx, { id: subject, user_id: actor, with_account }, context) => {
      if (!with_account) await markNotificationEventEnded(context, tx, { kind: 'like', subject, actor })
    },
    'post.deleted': async (tx, { id: subject, user_id: user, with_account }, context) => {
      if (!with_account) await deleteNotificationsAbout(context, tx, { kind: 'like', subject, user })
    },
    // Foreign keys delete the notifications of the member, and the member's acts in the notifications of
    // other members.
    'member.deleted': (tx, { id }, context) => announceChangesAfterActorDeletion(context, tx, id),
    // A block and its end are announced only to the windows of the member who blocks, because an event for
    // the other member would show that there is a block.
    'member.blocked': (tx, { blocker_id }, context) => announceChangeAfterCommit(context, tx, blocker_id),
    'member.unblocked': (tx, { blocker_id }, context) => announceChangeAfterCommit(context, tx, blocker_id),
    'follow.created': (tx, { follower_id: actor, followed_id: user }, context) =>
      addNotificationEvent(context, tx, { user, kind: 'follow', subject: ALL_FOLLOWERS, actor }),
    'follow.deleted': (tx, { follower_id: actor, followed_id: user }, context) =>
      markNotificationEventEnded(context, tx, { user, kind: 'follow', subject: ALL_FOLLOWERS, actor }),
    'group.member_added': (tx, { conversation_id: subject, user_id: user, actor_id: actor }, context) =>
      addNotificationEvent(context, tx, { user, kind: 'group', subject, actor }),
    'group.member_removed': (tx, { conversation_id: subject, user_id: user }, context) =>
      deleteNotificationsAbout(context, tx, { kind: 'group', subject, user }),
    'group.deleted': (tx, { conversation_id: subject }, context) =>
      deleteNotificationsAbout(context, tx, { kind: 'group', subject }),
    'message.created': async (tx, { conversation_id: subject, user_id: actor, is_group }, context) => {
      const user = is_group ? undefined : await findRecipientOfFirstMessage(tx, subject, actor)
      if (user !== undefined)
        await addNotificationEvent(context, tx, { user, kind: 'first_message', subject, actor })
    },
  },
  startBackgroundWork: (context) =>
    startHourlyCleanup(
      context,
      () => deleteOldNotifications(context.db),
      'Old notifications could not be deleted; tried again in an hour',
    ),
})
