import { type Channels, endpoints } from '#core/contract.ts'
import type { AttachedImage, bookmarkSchemas, editSchemas, pinSchemas, postSchemas } from './schemas.ts'

export type {
  AttachedFile,
  AttachedImage,
  AudienceGroup,
  FirstStepsState,
  FullProfile,
  Post,
  PostAudience,
  PostEvents,
  PostVersion,
} from './schemas.ts'

export const MAX_POST_LENGTH = 10_000
export const MAX_ALT_LENGTH = 1000
export const MAX_POST_IMAGES = 4
/** Besides pictures, of a post, reply or message. */
export const MAX_FILES = 5
export const POST_PAGE_SIZE = 50

/**
 * `share` is the picture's part of the width of the post, from 0 to 1, and `shape` its width divided by its
 * height. The values must be the same as those of `.pictures` in pictures.css.
 */
function boxOf(ratio: number, index: number, count: number): { share: number; shape: number } {
  if (count === 1) return { share: 1, shape: Math.min(Math.max(0.8, ratio), 1.91) }
  if (count === 2) return { share: 1 / 2, shape: 4 / 5 }
  if (count === 3) return index === 0 ? { share: 2 / 3, shape: 1 } : { share: 1 / 3, shape: 1 }
  return { share: 1 / 2, shape: 4 / 3 }
}

/** The height of the grid divided by its width, without the gaps (pictures.css). */
export function heightRatio(images: readonly AttachedImage[]): number {
  const [first] = images
  if (!first) return 0
  const { share, shape } = boxOf(first.width / first.height, 0, images.length)
  const rows = images.length > 3 ? 2 : 1
  return (rows * share) / shape
}

/**
 * The value of `<img sizes>`. `availableWidth` is the width of all pictures of the post together in pixels;
 * default: the width of a post. A picture wider than its box is cropped at the sides, so the returned width
 * is larger than the box.
 */
export function imageSizes(
  { width, height }: AttachedImage,
  index: number,
  count: number,
  availableWidth?: number,
) {
  const ratio = width / height
  const { share, shape } = boxOf(ratio, index, count)
  const drawn = share * Math.max(1, ratio / shape)
  if (availableWidth) return `${Math.round(availableWidth * drawn)}px`
  return `(min-width: 45em) ${Math.round(634 * drawn)}px, ${Math.round(100 * drawn)}vw`
}

export const MAX_GROUP_CHOICES = 500

export const postEndpoints = endpoints<typeof postSchemas>({
  list: 'GET /api/posts',
  following: 'GET /api/posts/following',
  create: 'POST /api/posts',
  show: 'GET /api/posts/:id',
  remove: 'DELETE /api/posts/:id',
  author: 'GET /api/users/:id',
  byAuthor: 'GET /api/users/:id/posts',
  firstSteps: 'GET /api/first-steps',
  audienceGroups: 'GET /api/post-audiences',
  likers: 'GET /api/posts/:id/likes',
  toggleLike: 'POST /api/posts/:id/like',
  like: 'PUT /api/posts/:id/like',
  unlike: 'DELETE /api/posts/:id/like',
})

export const postChannels = {
  posts: { name: 'posts' },
} as const satisfies Channels

/** For the community, and also for each group. */
export const MAX_PINNED_POSTS = 3

export const pinEndpoints = endpoints<typeof pinSchemas>({
  list: 'GET /api/posts/pinned',
  pin: 'PUT /api/posts/:id/pin',
  unpin: 'DELETE /api/posts/:id/pin',
})

export const bookmarkEndpoints = endpoints<typeof bookmarkSchemas>({
  list: 'GET /api/bookmarks',
  add: 'PUT /api/posts/:id/bookmark',
  remove: 'DELETE /api/posts/:id/bookmark',
})

/** Edits of one post. Each stores a version of the post. */
export const MAX_POST_EDITS = 100

export const editEndpoints = endpoints<typeof editSchemas>({
  edit: 'PUT /api/posts/:id',
  versions: 'GET /api/posts/:id/versions',
})
