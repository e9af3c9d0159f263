import { endpoints } from '#core/contract.ts'
import type { latestSchemas, Reply, replySchemas } from './schemas.ts'

export type { LatestByPost, LatestReply, Reply, ReplyEvents } from './schemas.ts'

export const replyPath = ({ id, post_id }: Pick<Reply, 'id' | 'post_id'>) => `/posts/${post_id}?reply=${id}`

export const replyEndpoints = endpoints<typeof replySchemas>({
  list: 'GET /api/posts/:id/replies',
  create: 'POST /api/posts/:id/replies',
  edit: 'PUT /api/replies/:id',
  remove: 'DELETE /api/replies/:id',
  likers: 'GET /api/replies/:id/likes',
  like: 'PUT /api/replies/:id/like',
  unlike: 'DELETE /api/replies/:id/like',
})

/** The length of the longest page of a post list. */
export const MAX_REPLY_LENGTH = 1000

export const MAX_LATEST_POSTS = 100
export const LATEST_PER_POST = 2
/** Characters; a list of posts shows two lines. */
export const MAX_EXCERPT = 300

export const latestEndpoints = endpoints<typeof latestSchemas>({
  list: 'GET /api/latest-replies',
})
