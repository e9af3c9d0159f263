import * as v from 'valibot'
import { ById, channel, endpoint, none, optionalText, page, Said, time } from '#core/contract.ts'
import { Person, Profile } from '#features/people/contract.ts'

export const TEXT_LENGTH = 1000
export const ALT_LENGTH = 1000
export const MOST_IMAGES = 4

export const Image = v.object({
  id: v.number(),
  path: v.string(),
  width: v.number(),
  height: v.number(),
  alt: v.nullable(v.string()),
  /** Candidates for `<img srcset>`, narrow to wide; stills even where `path` is animated. */
  srcset: v.string(),
  /** The largest version, for looking closely. */
  full: v.string(),
  /** A ThumbHash in base64, to paint the box before the picture is there. */
  placeholder: v.string(),
  animated: v.boolean(),
})
export type Image = v.InferOutput<typeof Image>

export const Post = v.object({
  id: v.number(),
  body: v.nullable(v.string()),
  created_at: time,
  user: Person,
  images: v.array(Image),
  likes_count: v.number(),
  liked_by_me: v.boolean(),
})
export type Post = v.InferOutput<typeof Post>

/** A member as the author of posts. */
export const Author = v.object({ ...Profile.entries, posts_count: v.number() })
export type Author = v.InferOutput<typeof Author>

/** What a newcomer has found or done: other members, somebody to follow, something to post. */
const FirstSteps = v.object({ others: v.boolean(), follows: v.boolean(), posted: v.boolean() })
export type FirstSteps = v.InferOutput<typeof FirstSteps>

const Liking = v.object({ liked: v.boolean(), likes_count: v.number() })
const Page = v.object(page(50, 100))
const NewPost = v.object({
  text: optionalText(TEXT_LENGTH),
  /** Descriptions of the images, in their order; empty where there is none. */
  alt: v.optional(v.array(optionalText(ALT_LENGTH)), []),
  /** Made by the client: a post that is sent again, because the answer was lost, is stored once. */
  client_id: optionalText(64),
})

export const posts = {
  list: endpoint('GET /api/posts', 'anyone', Page, v.array(Post), { paged: true }),
  following: endpoint('GET /api/posts/following', 'member', Page, v.array(Post), { paged: true }),
  create: endpoint('POST /api/posts', 'member', NewPost, v.object({ message: v.string(), post: Post }), {
    status: 201,
    files: { images: { most: MOST_IMAGES } },
    limits: [{ most: 120, by: 'account' }],
  }),
  show: endpoint('GET /api/posts/:id', 'anyone', ById, Post, { refuses: [404] }),
  remove: endpoint('DELETE /api/posts/:id', 'member', ById, Said, { refuses: [403, 404] }),
  author: endpoint('GET /api/users/:id', 'member', ById, Author, { refuses: [404] }),
  byAuthor: endpoint('GET /api/users/:id/posts', 'member', v.object({ ...ById.entries, ...Page.entries }), v.array(Post), { paged: true }),
  firstSteps: endpoint('GET /api/first-steps', 'member', none, FirstSteps),
  toggleLike: endpoint('POST /api/posts/:id/like', 'member', ById, Liking, { refuses: [404] }),
  like: endpoint('PUT /api/posts/:id/like', 'member', ById, Liking, { refuses: [404] }),
  unlike: endpoint('DELETE /api/posts/:id/like', 'member', ById, Liking, { refuses: [404] }),
}

/** For everybody, visitors too: that there is something to fetch, how often a post is liked, and that one is gone. */
export const channels = {
  posts: channel('posts', {
    PostCreated: v.object({ id: v.number(), user_id: v.number() }),
    PostLiked: v.object({ id: v.number(), likes_count: v.number() }),
    PostDeleted: v.object({ id: v.number() }),
  }),
}
