import { excerpt } from '#core/text/format.ts'
import { groupNames } from '#features/groups/read.ts'
import * as ownMessages from '#features/messages/own.ts'
import { getMessageTexts } from '#features/messages/subjects.ts'
import type { Person } from '#features/people/contract.ts'
import * as people from '#features/people/read.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import * as postAudiences from '#features/posts/audiences.ts'
import * as read from '#features/posts/read.ts'
import type { SubjectKind } from '#features/reactions/contract.ts'
import * as reactions from '#features/reactions/read.ts'
import * as repliesRead from '#features/replies/read.ts'
import {
  eventKinds,
  kindsAboutPosts,
  MAX_EMOJI,
  type Notification,
  type NotificationKind,
} from './contract.ts'
import { readCondition } from './server-schemas.ts'
import { isTask } from './task-contract.ts'

// As far as the viewer may see them.

interface Subject {
  id: number
  kind: NotificationKind
  subject_id: number
  /** See `source_id` of the table `notification_events`. */
  newest_source_id: number
}
type SubjectFields = Pick<
  Notification,
  | 'post'
  | 'reply'
  | 'group'
  | 'message_id'
  | 'message_body'
  | 'emoji'
  | 'server'
  | 'waiting'
  | 'child'
  | 'posts_count'
  | 'event_id'
>

/** Characters of a text, of which a list shows one line. */
const MAX_BODY = 300
/** Their `subject_id` is a post. */
const postKinds: readonly NotificationKind[] = ['like', 'reaction', ...kindsAboutPosts]
/** The `source_id` of their events is a reply to the post, or 0. */
const replySourceKinds: readonly NotificationKind[] = ['reply', 'mention']
/** Their `subject_id` is a group. The `source_id` of their events is a message of the group. */
const messageSourceKinds: readonly NotificationKind[] = ['quote', 'group_mention', 'group_poll_reminder']
/** Their `subject_id` is a group. */
const groupKinds: readonly NotificationKind[] = ['group', ...messageSourceKinds]
const reactionSubjects: Partial<Record<NotificationKind, SubjectKind>> = {
  reaction: 'post',
  reply_reaction: 'reply',
  message_reaction: 'message',
}

/** Returns a function for one notification. */
export async function subjectLookup(viewer: MemberViewer, all: readonly Subject[]) {
  const idsOf = (...kinds: readonly NotificationKind[]) =>
    all.filter(({ kind }) => kinds.includes(kind)).map(({ subject_id }) => subject_id)
  const newPosts = all.filter(({ kind }) => kind === 'new_post')
  const [replies, messages, texts, emoji, waiting, children, unreadPosts] = await Promise.all([
    repliesRead.texts(
      viewer,
      all.flatMap((one) => findReplyId(one) || []),
    ),
    ownMessages.get(viewer, idsOf('message_reaction')),
    getMessageTexts(
      viewer,
      all.flatMap((one) => findSourceMessageId(one) || []),
    ),
    readEmoji(viewer, all),
    countEvents(
      viewer,
      all.flatMap(({ id, kind }) => (isTask(kind) ? id : [])),
    ),
    readChildren(viewer, idsOf('contact_request')),
    countUnreadPosts(
      viewer,
      newPosts.map(({ id }) => id),
    ),
  ])
  const postsOfReplies = idsOf('reply_reaction').flatMap((id) => replies.get(id)?.post_id ?? [])
  const hasGroups = all.some(({ kind }) => groupKinds.includes(kind)) || messages.size > 0
  const [posts, groups, asked] = await Promise.all([
    readPosts(viewer, [
      ...idsOf(...postKinds),
      ...postsOfReplies,
      ...newPosts.map(({ newest_source_id }) => newest_source_id),
    ]),
    hasGroups ? readOwnGroups(viewer) : new Map<number, string>(),
    groupNames(viewer.db, idsOf('group_request')),
  ])
  return (subject: Subject): SubjectFields => {
    const { kind, subject_id } = subject
    const reply = replies.get(findReplyId(subject))
    const post = posts.get(findPostId(subject, reply))
    const message = kind === 'message_reaction' ? messages.get(subject_id) : undefined
    const group = groupKinds.includes(kind) ? subject_id : (message?.group_id ?? 0)
    const name = kind === 'group_request' ? asked.get(subject_id) : groups.get(group)
    const source = findSourceMessageId(subject)
    const child = kind === 'contact_request' ? children.get(subject_id) : undefined
    return {
      ...(kind === 'server' && { server: readCondition(subject) }),
      ...(isTask(kind) && { waiting: waiting.get(subject.id) ?? 0 }),
      ...(child && { child }),
      ...(kind === 'new_post' && { posts_count: unreadPosts.get(subject.id) ?? 1 }),
      ...(post && {
        post: {
          id: post.id,
          body: post.body && excerpt(post.body, MAX_BODY),
          is_own: post.user.id === viewer.me.id,
        },
      }),
      ...(reply && { reply: { id: reply.id, body: reply.body && excerpt(reply.body, MAX_BODY) } }),
      ...(name !== undefined && { group: { id: group || subject_id, name } }),
      ...(source > 0 && { message_id: source, message_body: texts.get(source) || null }),
      ...(message && { message_id: subject_id, message_body: message.body || null }),
      ...(isAboutEvent(kind) && { event_id: subject.newest_source_id }),
      ...(kind in reactionSubjects && { emoji: emoji.get(`${kind} ${subject_id}`) ?? [] }),
    }
  }
}

const isAboutEvent = (kind: NotificationKind) => eventKinds.some((one) => one === kind)

/** 0 if the notification shows none. */
const findReplyId = ({ kind, subject_id, newest_source_id }: Subject) =>
  kind === 'reply_reaction' ? subject_id : replySourceKinds.includes(kind) ? newest_source_id : 0

/** 0 for kinds without one. */
const findSourceMessageId = ({ kind, newest_source_id }: Subject) =>
  messageSourceKinds.includes(kind) ? newest_source_id : 0

/** 0 if the notification shows none. */
function findPostId({ kind, subject_id, newest_source_id }: Subject, reply: { post_id: number } | undefined) {
  if (postKinds.includes(kind)) return subject_id
  if (kind === 'new_post') return newest_source_id
  return kind === 'reply_reaction' ? (reply?.post_id ?? 0) : 0
}

/** The keys contain kind and `subject_id`. */
async function readEmoji(viewer: MemberViewer, all: readonly Subject[]) {
  const found = new Map<string, string[]>()
  for (const [kind, subject] of Object.entries(reactionSubjects)) {
    const ids = all.filter((one) => one.kind === kind).map(({ subject_id }) => subject_id)
    for (const [id, emoji] of await reactions.emojiOfOthers(viewer, subject, ids))
      found.set(`${kind} ${id}`, emoji.slice(0, MAX_EMOJI))
  }
  return found
}

async function countEvents({ db }: MemberViewer, notifications: readonly number[]) {
  if (!notifications.length) return new Map<number, number>()
  const rows = await db
    .selectFrom('notification_events')
    .select(({ fn }) => ['notification_id', fn.countAll().as('count')])
    .where('notification_id', 'in', notifications)
    .groupBy('notification_id')
    .execute()
  return new Map(rows.map(({ notification_id, count }) => [notification_id, Number(count)]))
}

async function countUnreadPosts(viewer: MemberViewer, notifications: readonly number[]) {
  if (!notifications.length) return new Map<number, number>()
  const rows = await viewer.db
    .selectFrom('notification_events as e')
    .innerJoin('notifications as n', 'n.id', 'e.notification_id')
    .select(({ fn }) => ['e.notification_id', fn.countAll().as('count')])
    .where('e.notification_id', 'in', notifications)
    .whereRef('e.id', '>', 'n.read_event_id')
    .where('e.ended_at', 'is', null)
    .where(postAudiences.visible(viewer, 'e.source_id'))
    .groupBy('e.notification_id')
    .execute()
  return new Map(rows.map(({ notification_id, count }) => [notification_id, Number(count)]))
}

/** Blocks do not hide them from their guardians. */
async function readChildren(viewer: MemberViewer, ids: readonly number[]) {
  if (!ids.length) return new Map<number, Person>()
  const rows = await people.unfiltered(viewer).where('users.id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, people.fromRow(viewer.media, row)]))
}

async function readPosts(viewer: MemberViewer, ids: readonly number[]) {
  const posts = await read.revisions(viewer, [...new Set(ids)])
  return new Map(posts.map(({ post }) => [post.id, post]))
}

async function readOwnGroups({ db, groups, me }: MemberViewer) {
  const { rows } = await groups.groupsOf(me.id).execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
