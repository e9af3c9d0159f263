import * as v from 'valibot'
import {
  createLimitedArraySchema,
  createOptionalTextSchema,
  createPaginationParameterFields,
  defineEndpoint,
  idInputSchema,
  idSchema,
  isoTimestampSchema,
  outcomeSentenceResponseSchema,
} from '#core/contract.ts'
import { listedUserSchema, personSchema } from '#features/people/contract.ts'
import {
  attachedImageSchema,
  MAX_IMAGE_ALT_LENGTH,
  MAX_POST_IMAGES,
  MAX_POST_LENGTH,
} from '#features/posts/contract.ts'

const MAX_REPLY_LENGTH = MAX_POST_LENGTH
const MAX_REPLY_IMAGES = MAX_POST_IMAGES
/** The number of replies on a page, unless the request asks for another number. */
const DEFAULT_REPLY_PAGE_SIZE = 20

/**
 * The schema of a reply to a post. Replies are not nested: a reply that answers another reply belongs to the
 * same post, and has the author of the other reply in `mentions`.
 */
export const replySchema = v.object({
  id: v.number(),
  post_id: v.number(),
  body: v.nullable(v.string()),
  created_at: isoTimestampSchema,
  edited_at: v.nullable(isoTimestampSchema),
  user: personSchema,
  images: v.array(attachedImageSchema),
  likes_count: v.number(),
  liked_by_me: v.boolean(),
  /**
   * The author of the reply that this reply answers. Absent if this reply answers the post itself or a
   * reply of its own author, if that person's account was deleted, or if the viewer may not see that person.
   */
  mentions: v.exactOptional(personSchema),
})
export type Reply = v.InferOutput<typeof replySchema>
/** Returns the path of the page of a post that opens at the reply, without the origin. */
export const toReplyPagePath = ({ id, post_id }: Pick<Reply, 'id' | 'post_id'>) =>
  `/posts/${post_id}?reply=${id}`

const LikeResult = v.object({ liked: v.boolean(), likes_count: v.number() })
const ReplyResult = v.object({ message: v.string(), reply: replySchema })

const NewReply = v.object({
  /** The id of the post to which the reply is sent. */
  ...idInputSchema.entries,
  text: createOptionalTextSchema(MAX_REPLY_LENGTH),
  /** The descriptions of the reply's images, in the order of the images. */
  alt: v.optional(
    createLimitedArraySchema(createOptionalTextSchema(MAX_IMAGE_ALT_LENGTH), MAX_REPLY_IMAGES),
    [],
  ),
  /**
   * An id of the reply that the client chooses. If the client sends a reply again because the response was
   * lost, the server stores the reply only once.
   */
  client_id: createOptionalTextSchema(64),
  /**
   * The id of the reply that the new reply answers, which must be a reply to the same post. Absent if the new
   * reply answers the post itself.
   */
  answers_id: v.optional(idSchema),
})

export const replyEndpoints = {
  /**
   * Lists the replies to a post, newest first. Leaves out replies of people whom the viewer may not see or
   * has muted.
   */
  list: defineEndpoint(
    'GET /api/posts/:id/replies',
    'reader',
    v.object({ ...idInputSchema.entries, ...createPaginationParameterFields(DEFAULT_REPLY_PAGE_SIZE, 100) }),
    v.array(replySchema),
    { paginated: true, errorStatuses: [404] },
  ),
  create: defineEndpoint('POST /api/posts/:id/replies', 'member', NewReply, ReplyResult, {
    status: 201,
    files: { images: { max: MAX_REPLY_IMAGES } },
    limits: [{ max: 120, by: 'account' }],
    errorStatuses: [404],
  }),
  edit: defineEndpoint(
    'PUT /api/replies/:id',
    'member',
    v.object({ ...idInputSchema.entries, text: createOptionalTextSchema(MAX_REPLY_LENGTH) }),
    ReplyResult,
    { limits: [{ max: 120, by: 'account' }], errorStatuses: [403, 404] },
  ),
  remove: defineEndpoint('DELETE /api/replies/:id', 'member', idInputSchema, outcomeSentenceResponseSchema, {
    errorStatuses: [403, 404],
    needsConfirmation: 'others',
  }),
  likers: defineEndpoint(
    'GET /api/replies/:id/likes',
    'member',
    v.object({ ...idInputSchema.entries, ...createPaginationParameterFields(100, 500) }),
    v.array(listedUserSchema),
    { paginated: true, errorStatuses: [404] },
  ),
  like: defineEndpoint('PUT /api/replies/:id/like', 'member', idInputSchema, LikeResult, {
    errorStatuses: [404],
  }),
  unlike: defineEndpoint('DELETE /api/replies/:id/like', 'member', idInputSchema, LikeResult, {
    errorStatuses: [404],
  }),
}

/**
 * The schemas of the live events of replies in the channel `posts`. Each event is sent to the viewers of the
 * post who may see the author of the post and the people whom the event is about, and have muted none of
 * them. `ReplyDeleted` is also sent to viewers who have muted one of them, or may not see the author of the
 * reply.
 */
export const replyEventSchemasByName = {
  /**
   * Announces a new reply, and the new number of replies to its post. `reply` is the same for all viewers, so
   * its `liked_by_me` is false.
   */
  ReplyCreated: v.object({
    id: v.number(),
    post_id: v.number(),
    replies_count: v.number(),
    reply: replySchema,
  }),
  ReplyChanged: v.object({
    id: v.number(),
    post_id: v.number(),
    body: v.nullable(v.string()),
    edited_at: v.nullable(isoTimestampSchema),
  }),
  ReplyLiked: v.object({ id: v.number(), post_id: v.number(), likes_count: v.number() }),
  ReplyDeleted: v.object({ id: v.number(), post_id: v.number(), replies_count: v.number() }),
}
/** The types of the data of the live events of replies, by the name of the event. */
export type ReplyEventDataByName = {
  [E in keyof typeof replyEventSchemasByName]: v.InferOutput<(typeof replyEventSchemasByName)[E]>
}
