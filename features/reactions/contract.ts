import * as v from 'valibot'
import {
  createCommaSeparatedIdsSchema,
  createPaginationParameterFields,
  defineEndpoint,
  idInputSchema,
  isoTimestampSchema,
} from '#core/contract.ts'
import { personSchema } from '#features/people/contract.ts'

/** The kinds of things to which members react. */
export const reactionSubjectKindSchema = v.picklist(['post', 'reply', 'message'])
export type ReactionSubjectKind = v.InferOutput<typeof reactionSubjectKindSchema>

/** The maximum number of posts in one request for reactions, and also of replies and of messages. */
export const MAX_IDS_PER_REACTION_SUMMARY = 100

/** A list of ids as the query parameter `1,2,3`. */
export const reactionSubjectIdListSchema = createCommaSeparatedIdsSchema(MAX_IDS_PER_REACTION_SUMMARY)

/**
 * The emoji of a request. It may also be an emoji that the admins no longer offer, because members can
 * still list such reactions and take them back.
 */
const emojiInputSchema = v.pipe(v.string('string'), v.nonEmpty('required'), v.maxLength(40, 'invalid'))

/**
 * An emoji, and the number of members who react with it. The number is the same for all viewers, like
 * `likes_count`.
 */
const ReactionCount = v.object({ emoji: v.string(), count: v.number() })
const Reaction = v.object({
  ...ReactionCount.entries,
  /** Whether the viewer is one of these members. */
  mine: v.boolean(),
})
export type EmojiReactionCount = v.InferOutput<typeof Reaction>

/** The reactions to each thing, by its id. The emoji that was used first is first. */
const ReactionsById = v.record(v.string(), v.array(Reaction))

const ReactionSummaries = v.object({
  /** The emoji that members can add now, in the order of the buttons. */
  emoji: v.array(v.string()),
  /** `posts`, `replies` and `messages` contain only those of the requested ids that the viewer may see. */
  posts: ReactionsById,
  replies: ReactionsById,
  messages: ReactionsById,
})
export type ReactionSummaries = v.InferOutput<typeof ReactionSummaries>

const Reactor = v.object({
  id: v.number(),
  emoji: v.string(),
  created_at: isoTimestampSchema,
  user: personSchema,
})
export type Reactor = v.InferOutput<typeof Reactor>

const ReactorsInput = v.object({
  ...idInputSchema.entries,
  /** Lists only the reactions with this emoji. */
  emoji: v.optional(emojiInputSchema),
  ...createPaginationParameterFields(50, 200),
})
const ReactionInput = v.object({ ...idInputSchema.entries, emoji: emojiInputSchema })
const ReactionResult = v.object({ reactions: v.array(Reaction) })
const changeOptions = { limits: [{ max: 240, by: 'account' }], errorStatuses: [404] } as const

/** Defines the endpoint that lists the people who react to one thing, newest reaction first. */
const defineReactorsEndpoint = (path: `/${string}`) =>
  defineEndpoint(`GET ${path}`, 'member', ReactorsInput, v.array(Reactor), {
    paginated: true,
    errorStatuses: [404],
  })
/**
 * Defines the endpoint that adds the member's reaction. The endpoint changes nothing if the member reacts
 * with this emoji already.
 */
const defineAddEndpoint = (path: `/${string}`) =>
  defineEndpoint(`PUT ${path}/:emoji`, 'member', ReactionInput, ReactionResult, changeOptions)
/**
 * Defines the endpoint that takes the member's reaction back. The endpoint changes nothing if the member
 * does not react with this emoji.
 */
const defineRemoveEndpoint = (path: `/${string}`) =>
  defineEndpoint(`DELETE ${path}/:emoji`, 'member', ReactionInput, ReactionResult, changeOptions)

const paths = {
  post: '/api/posts/:id/reactions',
  reply: '/api/replies/:id/reactions',
  message: '/api/chat-messages/:id/reactions',
} as const

export const reactionEndpoints = {
  summaries: defineEndpoint(
    'GET /api/reactions',
    'reader',
    v.object({
      posts: reactionSubjectIdListSchema,
      replies: reactionSubjectIdListSchema,
      messages: reactionSubjectIdListSchema,
    }),
    ReactionSummaries,
  ),
  postReactors: defineReactorsEndpoint(paths.post),
  addToPost: defineAddEndpoint(paths.post),
  removeFromPost: defineRemoveEndpoint(paths.post),
  replyReactors: defineReactorsEndpoint(paths.reply),
  addToReply: defineAddEndpoint(paths.reply),
  removeFromReply: defineRemoveEndpoint(paths.reply),
  messageReactors: defineReactorsEndpoint(paths.message),
  addToMessage: {
    ...defineAddEndpoint(paths.message),
    options: { ...changeOptions, errorStatuses: [403, 404] },
  },
  removeFromMessage: defineRemoveEndpoint(paths.message),
}

/**
 * The events of reactions. `ReactionsChanged` comes in the channel `posts` for posts and replies, and in the
 * channel of the conversation for messages, to the viewers who get the other events of this post, reply or
 * message. `OwnReactionChanged` comes in the member's own channel `presence-user.:user`.
 */
export const reactionRealtimeEvents = {
  /** `reactions` are the new counts of all emoji of the post, reply or message. */
  ReactionsChanged: v.object({
    subject: reactionSubjectKindSchema,
    subject_id: v.number(),
    reactions: v.array(ReactionCount),
  }),
  /** The member has added (`mine`) or taken back a reaction, perhaps in another window. */
  OwnReactionChanged: v.object({
    subject: reactionSubjectKindSchema,
    subject_id: v.number(),
    emoji: v.string(),
    mine: v.boolean(),
  }),
}
/** The data of each event of reactions. */
export type ReactionRealtimeEvents = {
  [E in keyof typeof reactionRealtimeEvents]: v.InferOutput<(typeof reactionRealtimeEvents)[E]>
}
