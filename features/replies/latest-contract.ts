import * as v from 'valibot'
import { createIdListSchema, defineEndpoint, timestampSchema } from '#core/contract.ts'
import { Person } from '#features/people/contract.ts'

/** The maximum number of posts in one request for the latest replies: the longest page of a list of posts. */
export const MAX_POSTS_OF_LATEST_REPLIES = 100
/** The number of replies to each post that lists of posts show. */
export const LATEST_REPLIES = 2
/** The maximum number of characters of a reply's text that lists of posts get. They show two lines of it. */
export const MAX_EXCERPT_LENGTH = 300

/** A reply as lists of posts show it, with the beginning of its text. */
export const LatestReply = v.object({
  id: v.number(),
  created_at: timestampSchema,
  user: Person,
  /** The beginning of the text, with “…” if it was shortened; null if the reply has only pictures. */
  excerpt: v.nullable(v.string()),
  images_count: v.number(),
  /** See `mentions` of `Reply`. */
  mentions: v.exactOptional(Person),
})
export type LatestReply = v.InferOutput<typeof LatestReply>

const LatestReplies = v.object({
  /**
   * The replies to each of these posts, by the id of the post, newest first. Contains only posts with replies
   * that the viewer may see.
   */
  posts: v.record(v.string(), v.array(LatestReply)),
})
export type LatestReplies = v.InferOutput<typeof LatestReplies>

export const latestReplyEndpoints = {
  /**
   * Lists the two newest replies to each of these posts. Replies of people whom the viewer may not see or has
   * muted are left out, and posts that the viewer may not see or that do not exist.
   */
  list: defineEndpoint(
    'GET /api/latest-replies',
    'reader',
    v.object({ posts: createIdListSchema(MAX_POSTS_OF_LATEST_REPLIES) }),
    LatestReplies,
  ),
}
