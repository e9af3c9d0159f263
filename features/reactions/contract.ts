import * as v from 'valibot'
import {
  createCommaSeparatedIdsSchema,
  createPaginationParameterFields,
  defineEndpoint,
  idInputSchema,
  isoTimestampSchema,
} from '#core/contract.ts'
import { personSchema } from '#features/people/contract.ts'

/** The schema of the kinds of content to which members can react. */
export const reactionSubjectKindSchema = v.picklist(['post', 'reply', 'message'])
export type ReactionSubjectKind = v.InferOutput<typeof reactionSubjectKindSchema>

/**
 * The maximum number of posts in one request for reactions; also the maximum number of replies, and of
 * messages.
 */
export const MAX_IDS_PER_KIND_IN_REACTIONS_REQUEST = 100

/** The schema of a query parameter that lists ids, such as `1,2,3`. */
export const commaSeparatedReactionSubjectIdsSchema = createCommaSeparatedIdsSchema(
  MAX_IDS_PER_KIND_IN_REACTIONS_REQUEST,
)

/**
 * The schema of the emoji in a request. An emoji that the admins no longer offer is valid too, because
 * members can still list such reactions and remove their own.
 */
const emojiInputSchema = v.pipe(v.string('string'), v.nonEmpty('required'), v.maxLength(40, 'invalid'))

/**
 * The schema of an emoji and the number of members who react with it to a post, reply or message. The number
 * is the same for all viewers, like `likes_count`.
 */
const ReactionCount = v.object({ emoji: v.string(), count: v.number() })
const Reaction = v.object({
  ...ReactionCount.entries,
  /** Whether the viewer is one of the members who react with the emoji. */
  mine: v.boolean(),
})
export type EmojiReactionCountWithMine = v.InferOutput<typeof Reaction>

/**
 * The schema of the reactions to several posts, replies or messages, by the id of each. The emoji that was
 * used first is first.
 */
const ReactionsById = v.record(v.string(), v.array(Reaction))

const ReactionSummaries = v.object({
  /** The emoji that members can add now, in the order of the buttons that add them. */
  emoji: v.array(v.string()),
  /** The reactions to the requested posts, replies and messages that the viewer may see. */
  posts: ReactionsById,
  replies: ReactionsById,
  messages: ReactionsById,
})
export type ReactionSummariesAndOfferedEmoji = v.InferOutput<typeof ReactionSummaries>

const Reactor = v.object({
  id: v.number(),
  emoji: v.string(),
  created_at: isoTimestampSchema,
  user: personSchema,
})
export type Reactor = v.InferOutput<typeof Reactor>

const ReactorsInput = v.object({
  ...idInputSchema.entries,
  /** The emoji of the reactions to list; if it is absent, all reactions are listed. */
  emoji: v.optional(emojiInputSchema),
  ...createPaginationParameterFields(50, 200),
})
const ReactionInput = v.object({ ...idInputSchema.entries, emoji: emojiInputSchema })
const ReactionResult = v.object({ reactions: v.array(Reaction) })
const changeOptions = { limits: [{ max: 240, by: 'account' }], errorStatuses: [404] } as const

/**
 * Defines the endpoint that lists the people who react to one post, reply or message, newest reaction first.
 */
const defineReactorsEndpoint = (path: `/${string}`) =>
  defineEndpoint(`GET ${path}`, 'member', ReactorsInput, v.array(Reactor), {
    paginated: true,
    errorStatuses: [404],
  })
/**
 * Defines the endpoint that adds a reaction of the member. The endpoint changes nothing if the member already
 * reacts with this emoji.
 */
const defineAddEndpoint = (path: `/${string}`) =>
  defineEndpoint(`PUT ${path}/:emoji`, 'member', ReactionInput, ReactionResult, changeOptions)
/**
 * Defines the endpoint that removes a reaction of the member. The endpoint changes nothing if the member does
 * not react with this emoji.
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
      posts: commaSeparatedReactionSubjectIdsSchema,
      replies: commaSeparatedReactionSubjectIdsSchema,
      messages: commaSeparatedReactionSubjectIdsSchema,
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
 * The schemas of the live events about reactions. `ReactionsChanged` is sent to the viewers who get the other
 * events of the post, reply or message: in the channel `posts` for posts and replies, and in the channel of
 * the conversation for messages. `OwnReactionChanged` is sent in the member's own channel
 * `presence-user.:user`.
 */
export const reactionEventSchemasByName = {
  /** Contains the new numbers of all reactions to a post, reply or message. */
  ReactionsChanged: v.object({
    subject: reactionSubjectKindSchema,
    subject_id: v.number(),
    reactions: v.array(ReactionCount),
  }),
  /** Says that the member has added a reaction (`mine` is true) or removed one, perhaps in another window. */
  OwnReactionChanged: v.object({
    subject: reactionSubjectKindSchema,
    subject_id: v.number(),
    emoji: v.string(),
    mine: v.boolean(),
  }),
}
/** The types of the data of the live events about reactions, by the name of the event. */
export type ReactionEventDataByName = {
  [E in keyof typeof reactionEventSchemasByName]: v.InferOutput<(typeof reactionEventSchemasByName)[E]>
}
