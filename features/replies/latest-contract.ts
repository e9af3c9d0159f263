import * as v from 'valibot'
import { createCommaSeparatedIdsSchema, defineEndpoint, isoTimestampSchema } from '#core/contract.ts'
import { personSchema } from '#features/people/contract.ts'

/** The maximum number of posts in one request for the latest replies: the longest page of a list of posts. */
export const MAX_POSTS_PER_LATEST_REPLIES_REQUEST = 100
/** The number of replies to each post that lists of posts show. */
export const LATEST_REPLIES_PER_POST = 2
/** The maximum number of characters of a reply's text that lists of posts get. They show two lines of it. */
export const MAX_REPLY_EXCERPT_LENGTH = 300

/** A reply as lists of posts show it, with the beginning of its text. */
export const latestReplySchema = v.object({
  id: v.number(),
  created_at: isoTimestampSchema,
  user: personSchema,
  /** The beginning of the text, with “…” if it was shortened; null if the reply has only pictures. */
  excerpt: v.nullable(v.string()),
  images_count: v.number(),
  /** See `mentions` of `Reply`. */
  mentions: v.exactOptional(personSchema),
})
export type LatestReply = v.InferOutput<typeof latestReplySchema>

const LatestReplies = v.object({
  /**
   * The replies to each of these posts, by the id of the post, newest first. Contains only posts with replies
   * that the viewer may see.
   */
  posts: v.record(v.string(), v.array(latestReplySchema)),
})
export type LatestRepliesByPostId = v.InferOutput<typeof LatestReplies>

export const latestReplyEndpoints = {
  /**
   * Lists the two newest replies to each of these posts. Replies of people whom the viewer may not see or has
   * muted are left out, and posts that the viewer may not see or that do not exist.
   */
  list: defineEndpoint(
    'GET /api/latest-replies',
    'reader',
    v.object({ posts: createCommaSeparatedIdsSchema(MAX_POSTS_PER_LATEST_REPLIES_REQUEST) }),
    LatestReplies,
  ),
}
