import * as v from 'valibot'
import { endpoint, idInputSchema, idListSchema, isoTime, pageFields } from '#core/schemas.ts'
import { personSchema } from '#features/people/schemas.ts'
import { MAX_SUBJECT_IDS } from './contract.ts'

export const subjectSchema = v.picklist(['post', 'reply', 'message'])
export type SubjectKind = v.InferOutput<typeof subjectSchema>

/** A query parameter such as `1,2,3`. */
export const subjectIdsSchema = idListSchema(MAX_SUBJECT_IDS)

/** Also valid if admins no longer offer it: members can list such reactions and remove their own. */
const emojiInputSchema = v.pipe(v.string('string'), v.nonEmpty('required'), v.maxLength(40, 'invalid'))

/** The same for all viewers, like `likes_count`. */
const ReactionCount = v.object({ emoji: v.string(), count: v.number() })
const Reaction = v.object({
  ...ReactionCount.entries,
  /** The viewer is one of the members who react with the emoji. */
  mine: v.boolean(),
})
export type EmojiCount = v.InferOutput<typeof Reaction>

/** By the id of each post, reply or message. The emoji that was used first is first. */
const ReactionsById = v.record(v.string(), v.array(Reaction))

const ReactionSummaries = v.object({
  /** The emoji that members can add now, in the order of their buttons. */
  emoji: v.array(v.string()),
  /** Only posts, replies and messages that the viewer may see. */
  posts: ReactionsById,
  replies: ReactionsById,
  messages: ReactionsById,
})
export type Summaries = v.InferOutput<typeof ReactionSummaries>

const Reactor = v.object({
  id: v.number(),
  emoji: v.string(),
  created_at: isoTime,
  user: personSchema,
})
export type Reactor = v.InferOutput<typeof Reactor>

const ReactorsInput = v.object({
  ...idInputSchema.entries,
  /** If it is absent, all reactions are listed. */
  emoji: v.optional(emojiInputSchema),
  ...pageFields(50, 200),
})
const ReactionInput = v.object({ ...idInputSchema.entries, emoji: emojiInputSchema })
const ReactionResult = v.object({ reactions: v.array(Reaction) })
const changeOptions = { limits: [{ max: 240, by: 'account' }], errorStatuses: [404] } as const

/** The newest reaction first. */
const reactors = endpoint('member', ReactorsInput, v.array(Reactor), {
  paginated: true,
  errorStatuses: [404],
})
/** Changes nothing if the member already reacts with this emoji. */
const add = endpoint('member', ReactionInput, ReactionResult, changeOptions)
/** Changes nothing if the member does not react with this emoji. */
const remove = endpoint('member', ReactionInput, ReactionResult, changeOptions)

export const reactionSchemas = {
  summaries: endpoint(
    'reader',
    v.object({
      posts: subjectIdsSchema,
      replies: subjectIdsSchema,
      messages: subjectIdsSchema,
    }),
    ReactionSummaries,
  ),
  postReactors: reactors,
  addToPost: add,
  removeFromPost: remove,
  replyReactors: reactors,
  addToReply: add,
  removeFromReply: remove,
  messageReactors: reactors,
  addToMessage: {
    ...add,
    options: { ...changeOptions, errorStatuses: [403, 404] },
  },
  removeFromMessage: remove,
}

/**
 * `ReactionsChanged` is sent to the viewers who get the other events of the post, reply or message: in the
 * channel `posts` for posts and replies, and in that of the conversation for messages. `OwnReactionChanged`
 * is sent in the member's own channel `presence-user.:user`.
 */
export const reactionEvents = {
  /** The new numbers of all reactions. */
  ReactionsChanged: v.object({
    subject: subjectSchema,
    subject_id: v.number(),
    reactions: v.array(ReactionCount),
  }),
  /** The member has added a reaction (`mine` is true) or removed one, perhaps in another window. */
  OwnReactionChanged: v.object({
    subject: subjectSchema,
    subject_id: v.number(),
    emoji: v.string(),
    mine: v.boolean(),
  }),
}
export type ReactionEvents = {
  [E in keyof typeof reactionEvents]: v.InferOutput<(typeof reactionEvents)[E]>
}
