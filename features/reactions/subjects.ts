import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import type { HttpError } from '#core/http/errors.ts'
import type { AllowedEventViewers } from '#core/realtime/visibility.ts'
import { createNoSuchMessageError } from '#features/chat/read.ts'
import {
  filterVisibleMessageIds,
  lockAndReadMessageForReactionsWithoutCheck,
  type MessageForReactions,
  readMessagesForReactionsWithoutCheck,
} from '#features/chat/read-for-reactions.ts'
import { isMemberViewer, type ViewerContext } from '#features/people/visibility.ts'
import { postChannelDefinitions } from '#features/posts/contract.ts'
import { createNoSuchPostError } from '#features/posts/read.ts'
import {
  lockPostForRepliesWithoutCheck,
  type PostForReplies,
  readPostsForRepliesWithoutCheck,
} from '#features/posts/replies-count.ts'
import { filterVisiblePostIds } from '#features/posts/visible-post-ids.ts'
import { lockReplyWithPostAndReadPostAndAuthor } from '#features/replies/likes.ts'
import { createNoSuchReplyError } from '#features/replies/read.ts'
import {
  filterVisibleReplyIds,
  type ReplyForReactions,
  readRepliesForReactionsWithoutCheck,
} from '#features/replies/read-for-reactions.ts'
import type { ReactionSubjectKind } from './contract.ts'

// Members react to three kinds of content: posts, replies and messages. The feature of each kind decides who
// may see it.

/** A post, reply or message, with the channel and the viewers of the live events about its reactions. */
export interface ReactionSubjectWithEventViewers {
  id: number
  author: number
  channel: string
  /**
   * The ids of the people whom the events are about, and further limits to the viewers: see
   * `ChannelEventBusMessage` in core/realtime/bus.ts.
   */
  aboutUsers: readonly number[]
  unlessMuted: boolean
  inGroup?: boolean
  onlyFor: AllowedEventViewers | undefined
  /** The ids of the two people of the private chat, if the message is in one; otherwise null. */
  pair: readonly [number, number] | null
  /** The id of the group, if the message is in one; otherwise null. */
  group: number | null
}

interface SubjectKind {
  /** The column of the table `reactions` that contains the id of the post, reply or message. */
  column: 'post_id' | 'reply_id' | 'message_id'
  createNotFoundError: () => HttpError
  /** Returns those of these ids whose posts, replies or messages the viewer may see. */
  listVisibleIds: (viewer: ViewerContext, ids: readonly number[]) => Promise<readonly number[]>
  /**
   * Locks the post, reply or message until the commit, so that no other transaction deletes or hides it.
   * Does not check who may see it. Throws 404 if it does not exist.
   */
  lock: (context: AppContext, tx: Tx, id: number) => Promise<ReactionSubjectWithEventViewers>
  /** Returns the posts, replies or messages with these ids that exist. Does not check who may see them. */
  read: (context: AppContext, tx: Tx, ids: readonly number[]) => Promise<ReactionSubjectWithEventViewers[]>
}

const toPostTarget = ({ id, author, viewers }: PostForReplies): ReactionSubjectWithEventViewers => ({
  id,
  author,
  channel: postChannelDefinitions.posts.name,
  aboutUsers: [author],
  unlessMuted: true,
  onlyFor: viewers,
  pair: null,
  group: null,
})

const toReplyTarget = ({ id, author, post }: ReplyForReactions): ReactionSubjectWithEventViewers => ({
  ...toPostTarget(post),
  id,
  author,
  aboutUsers: [...new Set([post.author, author])],
})

/**
 * Returns the `ReactionSubjectWithEventViewers` of a message. The events about its reactions have the same
 * viewers as its other events.
 */
const toMessageTarget = ({
  id,
  author,
  channel,
  pair,
  group,
  isHidden,
}: MessageForReactions): ReactionSubjectWithEventViewers => ({
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

export const reactionSubjectFunctionsByKind: Readonly<Record<ReactionSubjectKind, SubjectKind>> = {
  post: {
    column: 'post_id',
    createNotFoundError: createNoSuchPostError,
    listVisibleIds: filterVisiblePostIds,
    lock: async (context, tx, id) => toPostTarget(await lockPostForRepliesWithoutCheck(context, tx, id)),
    read: async (context, tx, ids) =>
      (await readPostsForRepliesWithoutCheck(context, tx, ids)).map(toPostTarget),
  },
  reply: {
    column: 'reply_id',
    createNotFoundError: createNoSuchReplyError,
    listVisibleIds: filterVisibleReplyIds,
    lock: async (context, tx, id) =>
      toReplyTarget({ id, ...(await lockReplyWithPostAndReadPostAndAuthor(context, tx, id)) }),
    read: async (context, tx, ids) =>
      (await readRepliesForReactionsWithoutCheck(context, tx, ids)).map(toReplyTarget),
  },
  message: {
    column: 'message_id',
    createNotFoundError: createNoSuchMessageError,
    listVisibleIds: async (viewer, ids) =>
      isMemberViewer(viewer) ? filterVisibleMessageIds(viewer, ids) : [],
    lock: async (_, tx, id) => toMessageTarget(await lockAndReadMessageForReactionsWithoutCheck(tx, id)),
    read: async (_, tx, ids) => (await readMessagesForReactionsWithoutCheck(tx, ids)).map(toMessageTarget),
  },
}

export const allReactionSubjectKinds = Object.keys(reactionSubjectFunctionsByKind) as ReactionSubjectKind[]
