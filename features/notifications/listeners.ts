import '#features/conversations/events.ts'
import '#features/groups/events.ts'
import '#features/messages/events.ts'
import '#features/people/events.ts'
import '#features/posts/events.ts'
import '#features/replies/events.ts'
import './events.ts'
import type { Db } from '#core/database/database.ts'
import type { Listeners } from '#core/feature/listeners.ts'
import * as chats from '#features/conversations/read.ts'
import * as announcements from './announcements.ts'
import { mentionListeners } from './mention-listeners.ts'
import * as notifier from './model.ts'
import { reactionListeners } from './reaction-listeners.ts'
import { markChatRead } from './reading.ts'
import '#features/registration/events.ts'
import { listAdminIds } from '#features/people/moderators.ts'
import * as tasks from './tasks.ts'

/** Each member has one notification of the kind `follow`, which names all followers. */
const ALL_FOLLOWERS = 0

/** Their `subject_id` is a group. */
const groupKinds = ['group', 'quote', 'group_mention', 'group_poll_reminder'] as const

const isInConversation = async (db: Db, conversation: number, user: number) =>
  (await chats.listMemberIds(db, conversation)).includes(user)

/** Each member has one notification of the kind `new_member`, which names all of them. */
const ALL_MEMBERS = 0

/** In the transaction of the action, such as a like. */
export const notificationListeners: Listeners = {
  ...mentionListeners,
  ...reactionListeners,
  'member.joined': async (tx, { id: actor, inviter_id, approver_id }, context) => {
    const told = new Set([...(await listAdminIds(tx)), ...(inviter_id === null ? [] : [inviter_id])])
    for (const user of [...told].sort((a, b) => a - b))
      if (user !== approver_id)
        await notifier.add(context, tx, { user, kind: 'new_member', subject: ALL_MEMBERS, actor })
  },
  'join_request.entered': async (tx, { id: source }, context) =>
    tasks.add(context, tx, await listAdminIds(tx), { kind: 'join_request', source }),
  'join_request.ended': (tx, { id: source }, context) =>
    tasks.end(context, tx, { kind: 'join_request', source }),
  'post.liked': (tx, { id: subject, user_id: actor, author_id: user }, context) =>
    notifier.add(context, tx, { user, kind: 'like', subject, actor }),
  'post.unliked': async (tx, { id: subject, user_id: actor, with_account }, context) => {
    if (!with_account) await notifier.endEvent(context, tx, { kind: 'like', subject, actor })
  },
  'post.announced': async (tx, post) => void (await announcements.enqueue(tx, post)),
  'post.deleted': async (tx, { id: subject, user_id: user, with_account }, context) => {
    if (!with_account)
      for (const kind of ['like', 'reaction'] as const)
        await notifier.deleteAbout(context, tx, { kind, subject, user })
    // Also those of members whom a reply answers.
    await notifier.deleteAbout(context, tx, { kind: 'reply', subject })
    await announcements.enqueueDeletion(tx, subject)
  },
  'reply.created': async (tx, reply, context) => {
    const { id: source, post_id: subject, user_id: actor, post_user_id, mentioned_id } = reply
    for (const user of new Set([post_user_id, mentioned_id ?? post_user_id]))
      await notifier.add(context, tx, { user, kind: 'reply', subject, actor, source })
  },
  'reply.deleted': async (tx, { id: source, post_id: subject }, context) => {
    await notifier.deleteSource(context, tx, { kind: 'reply', subject, source })
    await notifier.deleteAbout(context, tx, { kind: 'reply_reaction', subject: source })
  },
  // Foreign keys delete the notifications and events. Only the windows of others are told.
  'member.deleted': (tx, { id }, context) => notifier.announceDeleted(context, tx, id),
  // Only windows of the member who blocks are told: an event for the other would show the block.
  'member.blocked': (tx, { blocker_id }, context) => notifier.announce(context, tx, blocker_id),
  'member.unblocked': (tx, { blocker_id }, context) => notifier.announce(context, tx, blocker_id),
  'follow.created': (tx, { follower_id: actor, followed_id: user }, context) =>
    notifier.add(context, tx, { user, kind: 'follow', subject: ALL_FOLLOWERS, actor }),
  'follow.deleted': (tx, { follower_id: actor, followed_id: user }, context) =>
    notifier.endEvent(context, tx, { user, kind: 'follow', subject: ALL_FOLLOWERS, actor }),
  'group.member_added': (tx, { conversation_id: subject, user_id: user, actor_id: actor }, context) =>
    notifier.add(context, tx, { user, kind: 'group', subject, actor }),
  'group.member_removed': async (tx, { conversation_id: subject, user_id: user }, context) => {
    for (const kind of groupKinds) await notifier.deleteAbout(context, tx, { kind, subject, user })
  },
  'group.deleted': async (tx, { conversation_id: subject }, context) => {
    for (const kind of groupKinds) await notifier.deleteAbout(context, tx, { kind, subject })
  },
  'message.created': async (tx, message, context) => {
    const { id: source, conversation_id: subject, user_id: actor, is_group, quoted_user_id } = message
    const user = message.first_recipient_id
    // In a private chat, each message is for the other person anyway.
    if (is_group && quoted_user_id !== null && (await isInConversation(tx, subject, quoted_user_id)))
      await notifier.add(context, tx, {
        user: quoted_user_id,
        kind: 'quote',
        subject,
        actor,
        source,
      })
    if (user !== null) await notifier.add(context, tx, { user, kind: 'first_message', subject, actor })
  },
  'conversation.read': (tx, read, context) => markChatRead(context, tx, read),
  'message.deleted': async (tx, { id: source, conversation_id: subject }, context) => {
    for (const kind of ['quote', 'group_poll_reminder'] as const)
      await notifier.deleteSource(context, tx, { kind, subject, source })
    await notifier.deleteAbout(context, tx, { kind: 'message_reaction', subject: source })
  },
}
