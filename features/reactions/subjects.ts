import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import type { HttpError } from '#core/http/errors.ts'
import type { AllowedViewers } from '#core/realtime/visibility.ts'
import * as chats from '#features/conversations/read.ts'
import {
  listMessages,
  lockMessage,
  type MessageSubject,
  visibleMessageIds,
} from '#features/messages/subjects.ts'
import type { ViewerContext } from '#features/people/visibility.ts'
import * as visibility from '#features/people/visibility.ts'
import { postChannels } from '#features/posts/contract.ts'
import * as posts from '#features/posts/read.ts'
import { visiblePostIds } from '#features/posts/read.ts'
import type { RepliedPost } from '#features/posts/replied-posts.ts'
import * as repliedPosts from '#features/posts/replied-posts.ts'
import { lockReply } from '#features/replies/likes.ts'
import * as replies from '#features/replies/read.ts'
import { type ReactedReply, readReplies, visibleReplyIds } from '#features/replies/read-for-reactions.ts'
import type { SubjectKind } from './contract.ts'

// The feature of each kind decides who may see it.

/** A post, reply or message. */
export interface Subject {
  id: number
  author: number
  channel: string
  /** This and the next fields limit the viewers: see `EventMessage` in core/realtime/bus.ts. */
  aboutUsers: readonly number[]
  unlessMuted: boolean
  inGroup?: boolean
  onlyFor: AllowedViewers | undefined
  /** The ids of the two people, if the message is in a private chat. */
  pair: readonly [number, number] | null
  /** Null if the message is not in a group. */
  group: number | null
}

interface Functions {
  /** In the table `reactions`. */
  column: 'post_id' | 'reply_id' | 'message_id'
  createNotFoundError: () => HttpError
  listVisibleIds: (viewer: ViewerContext, ids: readonly number[]) => Promise<readonly number[]>
  /**
   * No other transaction deletes or hides it until the commit. Checks no rights. 404 if it does not exist.
   */
  lock: (context: AppContext, tx: Tx, id: number) => Promise<Subject>
  /** Leaves out ids that do not exist. Checks no rights. */
  read: (context: AppContext, tx: Tx, ids: readonly number[]) => Promise<Subject[]>
}

const toPostTarget = ({ id, author, viewers }: RepliedPost): Subject => ({
  id,
  author,
  channel: postChannels.posts.name,
  aboutUsers: [author],
  unlessMuted: true,
  onlyFor: viewers,
  pair: null,
  group: null,
})

const toReplyTarget = ({ id, author, post }: ReactedReply): Subject => ({
  ...toPostTarget(post),
  id,
  author,
  aboutUsers: [...new Set([post.author, author])],
})

/** The events about the reactions have the same viewers as the other events of the message. */
const toMessageTarget = ({ id, author, channel, pair, group, isHidden }: MessageSubject): Subject => ({
  id,
  author,
  channel,
  aboutUsers: pair ?? [author],
  unlessMuted: pair === null,
  inGroup: pair === null,
  onlyFor: isHidden ? [author] : undefined,
  pair,
  group,
})

export const subjects: Readonly<Record<SubjectKind, Functions>> = {
  post: {
    column: 'post_id',
    createNotFoundError: posts.notFound,
    listVisibleIds: visiblePostIds,
    lock: async (context, tx, id) => toPostTarget(await repliedPosts.lock(context, tx, id)),
    read: async (context, tx, ids) => (await repliedPosts.list(context, tx, ids)).map(toPostTarget),
  },
  reply: {
    column: 'reply_id',
    createNotFoundError: replies.notFound,
    listVisibleIds: visibleReplyIds,
    lock: async (context, tx, id) => toReplyTarget({ id, ...(await lockReply(context, tx, id)) }),
    read: async (context, tx, ids) => (await readReplies(context, tx, ids)).map(toReplyTarget),
  },
  message: {
    column: 'message_id',
    createNotFoundError: chats.noMessage,
    listVisibleIds: async (viewer, ids) =>
      visibility.isMember(viewer) ? visibleMessageIds(viewer, ids) : [],
    lock: async (_, tx, id) => toMessageTarget(await lockMessage(tx, id)),
    read: async (_, tx, ids) => (await listMessages(tx, ids)).map(toMessageTarget),
  },
}

export const subjectKinds = Object.keys(subjects) as SubjectKind[]
