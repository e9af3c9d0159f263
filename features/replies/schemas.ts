import * as v from 'valibot'
import {
  endpoint,
  idInputSchema,
  idListSchema,
  idSchema,
  isoTime,
  limitedArray,
  optionalText,
  outcomeSchema,
  pageFields,
} from '#core/schemas.ts'
import { listedUserSchema, personSchema } from '#features/people/schemas.ts'
import { MAX_ALT_LENGTH, MAX_POST_IMAGES } from '#features/posts/contract.ts'
import { fileParts, fileSchema, imageSchema, previewFields } from '#features/posts/schemas.ts'
import { MAX_LATEST_POSTS, MAX_REPLY_LENGTH } from './contract.ts'

const MAX_REPLY_IMAGES = MAX_POST_IMAGES
const PAGE_SIZE = 20

/** Not nested: a reply to a reply belongs to the same post, and has the author of the other in `mentions`. */
export const replySchema = v.object({
  id: v.number(),
  post_id: v.number(),
  body: v.nullable(v.string()),
  created_at: isoTime,
  edited_at: v.nullable(isoTime),
  user: personSchema,
  images: v.array(imageSchema),
  /** Absent if there are none. */
  files: v.exactOptional(v.array(fileSchema)),
  likes_count: v.number(),
  liked_by_me: v.boolean(),
  /**
   * The author of the answered reply. Absent if the reply answers the post itself or a reply of its own
   * author, if that person's account was deleted, or if the viewer may not see that person.
   */
  mentions: v.exactOptional(personSchema),
})
export type Reply = v.InferOutput<typeof replySchema>

const LikeResult = v.object({ liked: v.boolean(), likes_count: v.number() })
const ReplyResult = v.object({ message: v.string(), reply: replySchema })

const NewReply = v.object({
  /** The id of the post. */
  ...idInputSchema.entries,
  text: optionalText(MAX_REPLY_LENGTH),
  /** In the order of the images. */
  alt: v.optional(limitedArray(optionalText(MAX_ALT_LENGTH), MAX_REPLY_IMAGES), []),
  /**
   * The client chooses it. If it sends a reply again because the response was lost, the reply is stored once.
   */
  client_id: optionalText(64),
  /** The answered reply, to the same post. Absent if the new reply answers the post itself. */
  answers_id: v.optional(idSchema),
  ...previewFields,
})

export const replySchemas = {
  /** Newest first, without replies of people whom the viewer may not see or has muted. */
  list: endpoint(
    'reader',
    v.object({ ...idInputSchema.entries, ...pageFields(PAGE_SIZE, 100) }),
    v.array(replySchema),
    { paginated: true, errorStatuses: [404] },
  ),
  create: endpoint('member', NewReply, ReplyResult, {
    status: 201,
    files: { images: { max: MAX_REPLY_IMAGES }, ...fileParts },
    limits: [{ max: 120, by: 'account' }],
    errorStatuses: [403, 404],
  }),
  edit: endpoint(
    'member',
    v.object({ ...idInputSchema.entries, text: optionalText(MAX_REPLY_LENGTH) }),
    ReplyResult,
    { limits: [{ max: 120, by: 'account' }], errorStatuses: [403, 404] },
  ),
  remove: endpoint('member', idInputSchema, outcomeSchema, {
    errorStatuses: [403, 404],
    needsConfirmation: 'others',
  }),
  likers: endpoint(
    'member',
    v.object({ ...idInputSchema.entries, ...pageFields(100, 500) }),
    v.array(listedUserSchema),
    { paginated: true, errorStatuses: [404] },
  ),
  like: endpoint('member', idInputSchema, LikeResult, {
    errorStatuses: [404],
  }),
  unlike: endpoint('member', idInputSchema, LikeResult, {
    errorStatuses: [404],
  }),
}

/**
 * In the channel `posts`. Each event is sent to the viewers of the post who may see the author of the post
 * and the people whom the event is about, and have muted none of them. `ReplyDeleted` is also sent to viewers
 * who have muted one of them, or may not see the author of the reply.
 */
export const replyEvents = {
  /** `reply` is the same for all viewers, so its `liked_by_me` is false. */
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
    edited_at: v.nullable(isoTime),
  }),
  ReplyLiked: v.object({ id: v.number(), post_id: v.number(), likes_count: v.number() }),
  ReplyDeleted: v.object({ id: v.number(), post_id: v.number(), replies_count: v.number() }),
}
export type ReplyEvents = {
  [E in keyof typeof replyEvents]: v.InferOutput<(typeof replyEvents)[E]>
}

/** A reply below its post in a list of posts. */
export const latestSchema = v.object({
  id: v.number(),
  created_at: isoTime,
  user: personSchema,
  /** Ends with “…” if the text was shortened; null if the reply has only pictures and files. */
  excerpt: v.nullable(v.string()),
  images_count: v.number(),
  /** Absent if there are none. */
  files_count: v.exactOptional(v.number()),
  /** Absent in the cases that `replySchema` describes. */
  mentions: v.exactOptional(personSchema),
})
export type LatestReply = v.InferOutput<typeof latestSchema>

const LatestReplies = v.object({
  /** By the id of the post, newest first. Posts without replies that the viewer may see are missing. */
  posts: v.record(v.string(), v.array(latestSchema)),
})
export type LatestByPost = v.InferOutput<typeof LatestReplies>

export const latestSchemas = {
  /**
   * Without replies of people whom the viewer may not see or has muted, and without posts that are not
   * visible.
   */
  list: endpoint('reader', v.object({ posts: idListSchema(MAX_LATEST_POSTS) }), LatestReplies),
}
