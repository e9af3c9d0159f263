import * as v from 'valibot'
import {
  createLimitedArraySchema,
  createOptionalTextSchema,
  createPaginationParameterFields,
  defineEndpoint,
  defineRealtimeChannel,
  idInputSchema,
  isoTimestampSchema,
  noInputSchema,
  outcomeSentenceResponseSchema,
} from '#core/contract.ts'
import type { PreloadImage } from '#core/preload-image-contract.ts'
import { listedUserSchema, personSchema, profileSchema } from '#features/people/contract.ts'

export const MAX_POST_LENGTH = 1000
export const MAX_IMAGE_ALT_LENGTH = 1000
export const MAX_POST_IMAGES = 4
/** The number of posts on a page of a post list, unless the request asks for another number. */
export const DEFAULT_POST_PAGE_SIZE = 50

export const attachedImageSchema = v.object({
  id: v.number(),
  path: v.string(),
  width: v.number(),
  height: v.number(),
  alt: v.nullable(v.string()),
  /**
   * The value of `<img srcset>`: the URLs and widths of the files of the image, narrowest first. These files
   * are not animated, even if `path` is.
   */
  srcset: v.string(),
  /** The URL of the largest version of the image, which the lightbox shows. */
  full: v.string(),
  /** A small blurred preview of the image (a ThumbHash in base64) that is shown until the image is loaded. */
  placeholder: v.string(),
  animated: v.boolean(),
})
export type AttachedImage = v.InferOutput<typeof attachedImageSchema>

/**
 * The audience of a post: the people besides its author who may see the post. `everyone` means all members,
 * and also visitors unless only members may read the community. `followers` are the members who follow the
 * author at the time of reading, and `group` the members of one group at the time of reading.
 */
const postAudienceSchema = v.picklist(['everyone', 'members', 'followers', 'group'])
export type PostAudience = v.InferOutput<typeof postAudienceSchema>

export const postSchema = v.object({
  id: v.number(),
  body: v.nullable(v.string()),
  created_at: isoTimestampSchema,
  user: personSchema,
  images: v.array(attachedImageSchema),
  likes_count: v.number(),
  /** The number of replies to the post. It is the same for all viewers, like `likes_count`. */
  replies_count: v.number(),
  liked_by_me: v.boolean(),
  /** The audience of the post; absent if it is `everyone`. */
  audience: v.optional(v.picklist(['members', 'followers', 'group'])),
  /** The id of the group that may see the post; absent if the audience is not a group. */
  group_id: v.optional(v.number()),
  /** The number of pictures of the post that were removed because of their age; absent if it is 0. */
  removed_images: v.exactOptional(v.number()),
  /** The time of the last edit of the post's text; absent if the text was never edited. */
  edited_at: v.exactOptional(isoTimestampSchema),
  /**
   * Whether the post is pinned: for its group if the audience is a group, otherwise for the community. Absent
   * if the post is not pinned.
   */
  pinned: v.exactOptional(v.boolean()),
  /** Whether the viewer has bookmarked the post. */
  bookmarked_by_me: v.boolean(),
})
export type Post = v.InferOutput<typeof postSchema>

/**
 * Returns how a picture of a post is laid out: `share` is its part of the width of the post, from 0 to 1, and
 * `shape` its aspect ratio (width divided by height). The values must be the same as those of `.pictures` in
 * pictures.css.
 */
function boxOf(ratio: number, index: number, count: number): { share: number; shape: number } {
  if (count === 1) return { share: 1, shape: Math.min(Math.max(0.8, ratio), 1.91) }
  if (count === 2) return { share: 1 / 2, shape: 4 / 5 }
  if (count === 3) return index === 0 ? { share: 2 / 3, shape: 1 } : { share: 1 / 3, shape: 1 }
  return { share: 1 / 2, shape: 4 / 3 }
}

/** Returns the height of the grid of pictures divided by its width, without the gaps (pictures.css). */
export function toPicturesHeightRatio(images: readonly AttachedImage[]): number {
  const [first] = images
  if (!first) return 0
  const { share, shape } = boxOf(first.width / first.height, 0, images.length)
  const rows = images.length > 3 ? 2 : 1
  return (rows * share) / shape
}

/**
 * Returns the value of `<img sizes>` for the picture at `index` among the `count` pictures of a post.
 * `availableWidth` is the width of all these pictures together in pixels; without it, the width of a post is
 * used. A picture that is wider than its box is cropped at the sides, so the returned width is larger than
 * the box.
 */
export function toPostImageSizesAttribute(
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

/**
 * Returns what a page needs to preload the first picture of a post or message; null if there are no pictures.
 * `availableWidth` is as in `toPostImageSizesAttribute`.
 */
export function toPreloadImageOfFirstPicture(
  images: readonly AttachedImage[],
  { availableWidth, isUrgent }: { availableWidth?: number; isUrgent: boolean },
): PreloadImage | null {
  const [image] = images
  if (!image) return null
  const sizes = toPostImageSizesAttribute(image, 0, images.length, availableWidth)
  return { path: image.path, srcset: image.srcset, sizes, isUrgent }
}

/** The schema of a member's profile, with the number of the member's posts that the viewer may see. */
export const profileWithPostsCountSchema = v.object({
  ...profileSchema.entries,
  posts_count: v.number(),
  /**
   * True if the limits for new members apply to the person; otherwise absent. Only moderators and admins get
   * this field.
   */
  is_new: v.exactOptional(v.literal(true)),
})
export type ProfileWithPostsCount = v.InferOutput<typeof profileWithPostsCountSchema>

/** The maximum number of groups that a member gets to choose from as the audience of a post. */
export const MAX_AUDIENCE_GROUP_CHOICES = 500
const AudienceGroup = v.object({
  id: v.number(),
  name: v.string(),
  /** True if the member owns the group, and may therefore pin posts of the group; otherwise absent. */
  is_owner: v.exactOptional(v.literal(true)),
})
export type AudienceGroup = v.InferOutput<typeof AudienceGroup>

/**
 * The schema that says which first steps a new member has done: `others` is whether the member sees other
 * members, `follows` whether the member follows somebody, and `posted` whether the member has posted.
 */
const FirstSteps = v.object({ others: v.boolean(), follows: v.boolean(), posted: v.boolean() })
export type FirstStepsProgress = v.InferOutput<typeof FirstSteps>

const LikeResult = v.object({ liked: v.boolean(), likes_count: v.number() })
const PageInput = v.object(createPaginationParameterFields(DEFAULT_POST_PAGE_SIZE, 100))
const NewPost = v.object({
  text: createOptionalTextSchema(MAX_POST_LENGTH),
  /**
   * The descriptions of the post's images, in the order of the images. The entry of an image without a
   * description is empty.
   */
  alt: v.optional(
    createLimitedArraySchema(createOptionalTextSchema(MAX_IMAGE_ALT_LENGTH), MAX_POST_IMAGES),
    [],
  ),
  /**
   * An id of the post that the client chooses. If the client sends a post again because the response was
   * lost, the server stores the post only once.
   */
  client_id: createOptionalTextSchema(64),
  audience: v.optional(postAudienceSchema, 'everyone'),
  /**
   * The id of the group that may see the post, if `audience` is `group`. The author must be in this group.
   */
  group_id: v.optional(idInputSchema.entries.id),
})

export const postEndpoints = {
  list: defineEndpoint('GET /api/posts', 'reader', PageInput, v.array(postSchema), { paginated: true }),
  following: defineEndpoint('GET /api/posts/following', 'member', PageInput, v.array(postSchema), {
    paginated: true,
  }),
  create: defineEndpoint(
    'POST /api/posts',
    'member',
    NewPost,
    v.object({ message: v.string(), post: postSchema }),
    {
      status: 201,
      files: { images: { max: MAX_POST_IMAGES } },
      limits: [{ max: 120, by: 'account' }],
    },
  ),
  show: defineEndpoint('GET /api/posts/:id', 'reader', idInputSchema, postSchema, { errorStatuses: [404] }),
  remove: defineEndpoint('DELETE /api/posts/:id', 'member', idInputSchema, outcomeSentenceResponseSchema, {
    errorStatuses: [403, 404],
    needsConfirmation: 'others',
  }),
  author: defineEndpoint('GET /api/users/:id', 'member', idInputSchema, profileWithPostsCountSchema, {
    errorStatuses: [404],
  }),
  byAuthor: defineEndpoint(
    'GET /api/users/:id/posts',
    'member',
    v.object({ ...idInputSchema.entries, ...PageInput.entries }),
    v.array(postSchema),
    { paginated: true },
  ),
  firstSteps: defineEndpoint('GET /api/first-steps', 'member', noInputSchema, FirstSteps),
  /**
   * Lists the groups of the member, ordered by name, which the member can choose as the audience of a post.
   */
  audienceGroups: defineEndpoint('GET /api/post-audiences', 'member', noInputSchema, v.array(AudienceGroup)),
  likers: defineEndpoint(
    'GET /api/posts/:id/likes',
    'member',
    v.object({ ...idInputSchema.entries, ...createPaginationParameterFields(100, 500) }),
    v.array(listedUserSchema),
    { paginated: true, errorStatuses: [404] },
  ),
  toggleLike: defineEndpoint('POST /api/posts/:id/like', 'member', idInputSchema, LikeResult, {
    errorStatuses: [404],
  }),
  like: defineEndpoint('PUT /api/posts/:id/like', 'member', idInputSchema, LikeResult, {
    errorStatuses: [404],
  }),
  unlike: defineEndpoint('DELETE /api/posts/:id/like', 'member', idInputSchema, LikeResult, {
    errorStatuses: [404],
  }),
}

/**
 * The channel `posts` with the live events of posts. The channel is public, so that visitors can subscribe
 * too. The server sends events of a post that is not for everybody only to the sockets of members who may see
 * the post. The features `replies` and `reactions` also broadcast their events (`replyEventSchemasByName`,
 * `reactionEventSchemasByName`) to this channel.
 */
export const postChannelDefinitions = {
  posts: defineRealtimeChannel('posts', {
    /**
     * Announces a new post. `post` is the same for all viewers, so its `liked_by_me` and `bookmarked_by_me`
     * are false.
     */
    PostCreated: v.object({ id: v.number(), user_id: v.number(), post: postSchema }),
    PostChanged: v.object({ id: v.number(), body: v.nullable(v.string()), edited_at: isoTimestampSchema }),
    PostPinned: v.object({ id: v.number(), pinned: v.boolean() }),
    /** Tells all open windows of one member that the member has added or removed a bookmark. */
    PostBookmarked: v.object({ id: v.number(), bookmarked: v.boolean() }),
    PostLiked: v.object({ id: v.number(), likes_count: v.number() }),
    PostDeleted: v.object({ id: v.number() }),
    /** Says that the pictures of the posts with the ids `ids` were removed because of their age. */
    PostImagesRemoved: v.object({ ids: v.array(v.number()) }),
  }),
}
/** The types of the data of the events in the channel `posts`, by the name of the event. */
export type PostChannelEventDataByName = {
  [E in keyof typeof postChannelDefinitions.posts.events]: v.InferOutput<
    (typeof postChannelDefinitions.posts.events)[E]
  >
}
