import { readVisibleMessageTextsById } from '#features/chat/read-message-texts.ts'
import { readAccessibleOwnMessagesById } from '#features/chat/read-own-messages.ts'
import type { MemberViewerContext } from '#features/people/visibility.ts'
import { readVisibleViewerIndependentPostsAndRevisions } from '#features/posts/read.ts'
import type { ReactionSubjectKind } from '#features/reactions/contract.ts'
import { readReactionEmojiOfOthersByIdWithoutCheck } from '#features/reactions/read.ts'
import { readVisibleReplyTextsAndPostIdsById } from '#features/replies/read.ts'
import { MAX_EMOJI_IN_NOTIFICATION, type Notification, type NotificationKind } from './contract.ts'
import { readCondition } from './server-contract.ts'

// This file reads the posts, replies, messages, groups and emoji that notifications show, as far as the
// viewer may see them.

interface Subject {
  kind: NotificationKind
  subject_id: number
  /** The `source_id` of the newest event of the notification; see the table `notification_events`. */
  newest_source_id: number
}
type SubjectFields = Pick<
  Notification,
  'post' | 'reply' | 'group' | 'message_id' | 'message_body' | 'emoji' | 'server'
>

/** The kinds of notifications whose `subject_id` is the id of a post. */
const postKinds: readonly NotificationKind[] = ['like', 'reaction', 'reply', 'mention', 'announcement']
/** The kinds of notifications whose events have the id of a reply to the post as `source_id`, or 0. */
const replySourceKinds: readonly NotificationKind[] = ['reply', 'mention']
/** The kinds of notifications whose `subject_id` is the id of a group. */
const groupKinds: readonly NotificationKind[] = ['group', 'quote', 'group_mention']
/** The kinds of notifications whose events have the id of a message of the group as `source_id`. */
const messageSourceKinds: readonly NotificationKind[] = ['quote', 'group_mention']
const reactionSubjects: Partial<Record<NotificationKind, ReactionSubjectKind>> = {
  reaction: 'post',
  reply_reaction: 'reply',
  message_reaction: 'message',
}

/**
 * Reads the posts, replies, messages, groups and emoji that these notifications are about. Returns a function
 * that returns the fields with these things for one notification.
 */
export async function readNotificationSubjectsLookupFunction(
  viewer: MemberViewerContext,
  all: readonly Subject[],
) {
  const idsOf = (...kinds: readonly NotificationKind[]) =>
    all.filter(({ kind }) => kinds.includes(kind)).map(({ subject_id }) => subject_id)
  const [replies, messages, texts, emoji] = await Promise.all([
    readVisibleReplyTextsAndPostIdsById(
      viewer,
      all.flatMap((one) => findReplyId(one) || []),
    ),
    readAccessibleOwnMessagesById(viewer, idsOf('message_reaction')),
    readVisibleMessageTextsById(
      viewer,
      all.flatMap((one) => findSourceMessageId(one) || []),
    ),
    readEmoji(viewer, all),
  ])
  const postsOfReplies = idsOf('reply_reaction').flatMap((id) => replies.get(id)?.post_id ?? [])
  const hasGroups = all.some(({ kind }) => groupKinds.includes(kind)) || messages.size > 0
  const [posts, groups] = await Promise.all([
    readPosts(viewer, [...idsOf(...postKinds), ...postsOfReplies]),
    hasGroups ? readOwnGroups(viewer) : new Map<number, string>(),
  ])
  return (subject: Subject): SubjectFields => {
    const { kind, subject_id } = subject
    const reply = replies.get(findReplyId(subject))
    const post = posts.get(postKinds.includes(kind) ? subject_id : findPostIdOfOwnReply(subject, reply))
    const message = kind === 'message_reaction' ? messages.get(subject_id) : undefined
    const group = groupKinds.includes(kind) ? subject_id : (message?.group_id ?? 0)
    const name = groups.get(group)
    const source = findSourceMessageId(subject)
    return {
      ...(kind === 'server' && { server: readCondition(subject) }),
      ...(post && { post: { id: post.id, body: post.body, is_own: post.user.id === viewer.me.id } }),
      ...(reply && { reply: { id: reply.id, body: reply.body } }),
      ...(name !== undefined && { group: { id: group, name } }),
      ...(source > 0 && { message_id: source, message_body: texts.get(source) || null }),
      ...(message && { message_id: subject_id, message_body: message.body || null }),
      ...(kind in reactionSubjects && { emoji: emoji.get(`${kind} ${subject_id}`) ?? [] }),
    }
  }
}

/** Returns the id of the reply that a notification shows; 0 if the notification shows no reply. */
const findReplyId = ({ kind, subject_id, newest_source_id }: Subject) =>
  kind === 'reply_reaction' ? subject_id : replySourceKinds.includes(kind) ? newest_source_id : 0

/**
 * Returns the id of the newest message that quotes or mentions the member; 0 for other kinds of
 * notifications.
 */
const findSourceMessageId = ({ kind, newest_source_id }: Subject) =>
  messageSourceKinds.includes(kind) ? newest_source_id : 0

const findPostIdOfOwnReply = ({ kind }: Subject, reply: { post_id: number } | undefined) =>
  kind === 'reply_reaction' ? (reply?.post_id ?? 0) : 0

/**
 * Reads the emoji that notifications about reactions show. Returns a map whose keys contain the kind and the
 * `subject_id` of the notification.
 */
async function readEmoji(viewer: MemberViewerContext, all: readonly Subject[]) {
  const found = new Map<string, string[]>()
  for (const [kind, subject] of Object.entries(reactionSubjects)) {
    const ids = all.filter((one) => one.kind === kind).map(({ subject_id }) => subject_id)
    for (const [id, emoji] of await readReactionEmojiOfOthersByIdWithoutCheck(viewer, subject, ids))
      found.set(`${kind} ${id}`, emoji.slice(0, MAX_EMOJI_IN_NOTIFICATION))
  }
  return found
}

async function readPosts(viewer: MemberViewerContext, ids: readonly number[]) {
  const posts = await readVisibleViewerIndependentPostsAndRevisions(viewer, [...new Set(ids)])
  return new Map(posts.map(({ post }) => [post.id, post]))
}

/** Reads the names of the viewer's groups. Returns a map by the ids of the groups. */
async function readOwnGroups({ db, groups, me }: MemberViewerContext) {
  const { rows } = await groups.groupsOf(me.id).execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
