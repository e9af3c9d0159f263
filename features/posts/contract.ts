import * as v from 'valibot'
import {
  ById,
  channel,
  endpoint,
  type FirstPicture,
  list,
  MessageResponse,
  noInput,
  optionalText,
  page,
  time,
} from '#core/contract.ts'
import { Listed, Person, Profile } from '#features/people/contract.ts'

export const TEXT_LENGTH = 1000
export const ALT_LENGTH = 1000
export const MOST_IMAGES = 4
/** Posts of a page, unless another number is asked for. */
export const PAGE = 50

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

/**
 * Share of the width, and shape, of each pane of a post's pictures: the same as `.pictures` in pictures.css.
 */
function boxOf(ratio: number, at: number, of: number): { share: number; shape: number } {
  if (of === 1) return { share: 1, shape: Math.min(Math.max(0.8, ratio), 1.91) }
  if (of === 2) return { share: 1 / 2, shape: 4 / 5 }
  if (of === 3) return at === 0 ? { share: 2 / 3, shape: 1 } : { share: 1 / 3, shape: 1 }
  return { share: 1 / 2, shape: 4 / 3 }
}

/** For `<img sizes>`; `room` is what the pictures have together, px, where that is not the width of a post. A picture wider than its pane is cut at the sides, so it is drawn wider than the pane is. */
export function sizesOf({ width, height }: Image, at: number, of: number, room?: number) {
  const ratio = width / height
  const { share, shape } = boxOf(ratio, at, of)
  const drawn = share * Math.max(1, ratio / shape)
  if (room) return `${Math.round(room * drawn)}px`
  return `(min-width: 45em) ${Math.round(634 * drawn)}px, ${Math.round(100 * drawn)}vw`
}

/** The first picture of the post at the top of a page. The HTML preloads it. */
export function firstPicture(top: Post | undefined): FirstPicture | undefined {
  const image = top?.images[0]
  return image && { path: image.path, srcset: image.srcset, sizes: sizesOf(image, 0, top.images.length) }
}

/** A member as the author of posts. */
export const Author = v.object({ ...Profile.entries, posts_count: v.number() })
export type Author = v.InferOutput<typeof Author>

/** The steps of a new member: there are other members, the member follows somebody, the member has posted. */
const FirstSteps = v.object({ others: v.boolean(), follows: v.boolean(), posted: v.boolean() })
export type FirstSteps = v.InferOutput<typeof FirstSteps>

const Liking = v.object({ liked: v.boolean(), likes_count: v.number() })
const Page = v.object(page(PAGE, 100))
const NewPost = v.object({
  text: optionalText(TEXT_LENGTH),
  /** Descriptions of the images, in their order; empty where there is none. */
  alt: v.optional(list(optionalText(ALT_LENGTH), MOST_IMAGES), []),
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
  remove: endpoint('DELETE /api/posts/:id', 'member', ById, MessageResponse, { refuses: [403, 404] }),
  author: endpoint('GET /api/users/:id', 'member', ById, Author, { refuses: [404] }),
  byAuthor: endpoint(
    'GET /api/users/:id/posts',
    'member',
    v.object({ ...ById.entries, ...Page.entries }),
    v.array(Post),
    { paged: true },
  ),
  firstSteps: endpoint('GET /api/first-steps', 'member', noInput, FirstSteps),
  likers: endpoint(
    'GET /api/posts/:id/likes',
    'member',
    v.object({ ...ById.entries, ...page(100, 500) }),
    v.array(Listed),
    { paged: true, refuses: [404] },
  ),
  toggleLike: endpoint('POST /api/posts/:id/like', 'member', ById, Liking, { refuses: [404] }),
  like: endpoint('PUT /api/posts/:id/like', 'member', ById, Liking, { refuses: [404] }),
  unlike: endpoint('DELETE /api/posts/:id/like', 'member', ById, Liking, { refuses: [404] }),
}

/** Public: visitors listen too. */
export const channels = {
  posts: channel('posts', {
    /** `post` is as visitors see it, with `liked_by_me` false. */
    PostCreated: v.object({ id: v.number(), user_id: v.number(), post: Post }),
    PostLiked: v.object({ id: v.number(), likes_count: v.number() }),
    PostDeleted: v.object({ id: v.number() }),
  }),
}
/** The data of each event of the channel `posts`. */
export type PostEvents = {
  [E in keyof typeof channels.posts.events]: v.InferOutput<(typeof channels.posts.events)[E]>
}
