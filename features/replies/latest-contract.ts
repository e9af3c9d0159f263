import * as v from 'valibot'
import { createCommaSeparatedIdsSchema, defineEndpoint, isoTimestampSchema } from '#core/contract.ts'
import { personSchema } from '#features/people/contract.ts'

/**
 * The maximum number of posts in one request for the latest replies. It is the length of the longest page of
 * a post list.
 */
export const MAX_POSTS_PER_LATEST_REPLIES_REQUEST = 100
/** The number of newest replies that a list of posts shows below each post. */
export const LATEST_REPLIES_PER_POST = 2
/**
 * The maximum number of characters of a reply's text in a list of posts, which shows two lines of the text.
 */
export const MAX_REPLY_EXCERPT_LENGTH = 300

/** The schema of a reply as lists of posts show it below the post, with the beginning of its text. */
export const latestReplySchema = v.object({
  id: v.number(),
  created_at: isoTimestampSchema,
  user: personSchema,
  /**
   * The beginning of the reply's text, with “…” if the text was shortened; null if the reply has only
   * pictures.
   */
  excerpt: v.nullable(v.string()),
  images_count: v.number(),
  /** The author of the reply that this reply answers; absent in the cases that `replySchema` describes. */
  mentions: v.exactOptional(personSchema),
})
export type LatestReply = v.InferOutput<typeof latestReplySchema>

const LatestReplies = v.object({
  /**
   * The newest replies to each of the requested posts, by the id of the post, newest first. Posts without
   * replies that the viewer may see are missing.
   */
  posts: v.record(v.string(), v.array(latestReplySchema)),
})
export type LatestRepliesByPostIdResponse = v.InferOutput<typeof LatestReplies>

export const latestReplyEndpoints = {
  /**
   * Lists the two newest replies to each of the requested posts. Leaves out replies of people whom the viewer
   * may not see or has muted, posts that the viewer may not see, and posts that do not exist.
   */
  list: defineEndpoint(
    'GET /api/latest-replies',
    'reader',
    v.object({ posts: createCommaSeparatedIdsSchema(MAX_POSTS_PER_LATEST_REPLIES_REQUEST) }),
    LatestReplies,
  ),
}
