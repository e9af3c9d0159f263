import * as v from 'valibot'
import { fileKinds, voiceDetailsSchema } from '#core/media/file-schemas.ts'
import {
  channel,
  endpoint,
  extrasSchema,
  idInputSchema,
  idSchema,
  isoTime,
  limitedArray,
  noInputSchema,
  optionalText,
  outcomeSchema,
  pageFields,
} from '#core/schemas.ts'
import { listedUserSchema, personSchema, profileSchema } from '#features/people/schemas.ts'
import { MAX_ALT_LENGTH, MAX_FILES, MAX_POST_IMAGES, MAX_POST_LENGTH, POST_PAGE_SIZE } from './contract.ts'

export const imageSchema = v.object({
  id: v.number(),
  path: v.string(),
  width: v.number(),
  height: v.number(),
  alt: v.nullable(v.string()),
  /** The value of `<img srcset>`, narrowest first. These files are not animated, even if `path` is. */
  srcset: v.string(),
  /** The largest version, which the lightbox shows. */
  full: v.string(),
  /** A ThumbHash in base64, shown until the image is loaded. */
  placeholder: v.string(),
  animated: v.boolean(),
})
export type AttachedImage = v.InferOutput<typeof imageSchema>

/** Whoever may read the post, reply or message gets it at `path`, as an attachment. */
export const fileSchema = v.object({
  id: v.number(),
  path: v.string(),
  name: v.string(),
  /** In bytes. */
  size: v.number(),
  kind: v.picklist(fileKinds),
  /** Only of a voice message. */
  voice: v.exactOptional(voiceDetailsSchema),
  /** In ms, of a video that says it. */
  duration: v.exactOptional(v.number()),
  /** Of a PDF or video, drawn by the author's browser: its first page or a picture; absent if it could not. */
  preview: v.exactOptional(imageSchema),
})
export type AttachedFile = v.InferOutput<typeof fileSchema>

/** The files of a new post, reply or message. Besides them, forms have the text fields in `previewFields`. */
export const fileParts = {
  files: { max: MAX_FILES, type: 'file' },
  previews: { max: MAX_FILES, type: 'preview' },
} as const
export const previewFields = {
  /** For each of `previews`, the number of its PDF or video among `files`, from 1. */
  preview_of: v.optional(limitedArray(idSchema, MAX_FILES), []),
}

/**
 * The people besides its author who may see the post. `everyone` includes visitors unless only members may
 * read the community. `followers` and `group` are the members at the time of reading.
 */
const postAudienceSchema = v.picklist(['everyone', 'members', 'followers', 'group'])
export type PostAudience = v.InferOutput<typeof postAudienceSchema>

export const postSchema = v.object({
  id: v.number(),
  body: v.nullable(v.string()),
  created_at: isoTime,
  user: personSchema,
  images: v.array(imageSchema),
  /** Absent if there are none. */
  files: v.optional(v.array(fileSchema)),
  likes_count: v.number(),
  /** The same for all viewers, like `likes_count`. */
  replies_count: v.number(),
  liked_by_me: v.boolean(),
  /** Absent if it is `everyone`. */
  audience: v.optional(v.picklist(['members', 'followers', 'group'])),
  /** Absent if the audience is not a group. */
  group_id: v.optional(v.number()),
  /** The number of pictures and files that were removed because of their age; absent if it is 0. */
  removed_images: v.exactOptional(v.number()),
  /** Absent if the text was never edited. */
  edited_at: v.exactOptional(isoTime),
  /** For its group if the audience is a group, otherwise for the community. Absent if it is not pinned. */
  pinned: v.exactOptional(v.boolean()),
  bookmarked_by_me: v.boolean(),
})
export type Post = v.InferOutput<typeof postSchema>

/** `posts_count` counts only the posts that the viewer may see. */
export const fullProfileSchema = v.object({
  ...profileSchema.entries,
  posts_count: v.number(),
  /**
   * True if the limits for new members apply; otherwise absent. Only moderators and admins get this field.
   */
  is_new: v.exactOptional(v.literal(true)),
})
export type FullProfile = v.InferOutput<typeof fullProfileSchema>
const AudienceGroup = v.object({
  id: v.number(),
  name: v.string(),
  /** True if the member owns the group, and so may pin its posts; otherwise absent. */
  is_owner: v.exactOptional(v.literal(true)),
})
export type AudienceGroup = v.InferOutput<typeof AudienceGroup>

/** The steps that a new member has done: sees other members, follows somebody, has posted. */
const FirstSteps = v.object({ others: v.boolean(), follows: v.boolean(), posted: v.boolean() })
export type FirstStepsState = v.InferOutput<typeof FirstSteps>

const LikeResult = v.object({ liked: v.boolean(), likes_count: v.number() })
const PageInput = v.object(pageFields(POST_PAGE_SIZE, 100))
const NewPost = v.object({
  text: optionalText(MAX_POST_LENGTH),
  /** In the order of the images. The entry of an image without a description is empty. */
  alt: v.optional(limitedArray(optionalText(MAX_ALT_LENGTH), MAX_POST_IMAGES), []),
  /**
   * The client chooses it. If it sends a post again because the response was lost, the post is stored once.
   */
  client_id: optionalText(64),
  audience: v.optional(postAudienceSchema, 'everyone'),
  /** The author must be in this group. */
  group_id: v.optional(idInputSchema.entries.id),
  ...previewFields,
  extras: extrasSchema,
})

export const postSchemas = {
  list: endpoint('reader', PageInput, v.array(postSchema), { paginated: true }),
  following: endpoint('member', PageInput, v.array(postSchema), {
    paginated: true,
  }),
  create: endpoint('member', NewPost, v.object({ message: v.string(), post: postSchema }), {
    status: 201,
    files: { images: { max: MAX_POST_IMAGES }, ...fileParts },
    limits: [{ max: 120, by: 'account' }],
    /** An extra that the member may not add. */
    errorStatuses: [403],
  }),
  show: endpoint('reader', idInputSchema, postSchema, { errorStatuses: [404] }),
  remove: endpoint('member', idInputSchema, outcomeSchema, {
    errorStatuses: [403, 404],
    needsConfirmation: 'others',
  }),
  author: endpoint('member', idInputSchema, fullProfileSchema, {
    errorStatuses: [404],
  }),
  byAuthor: endpoint(
    'member',
    v.object({ ...idInputSchema.entries, ...PageInput.entries }),
    v.array(postSchema),
    { paginated: true },
  ),
  firstSteps: endpoint('member', noInputSchema, FirstSteps),
  /** The groups that the member can choose as the audience of a post, ordered by name. */
  audienceGroups: endpoint('member', noInputSchema, v.array(AudienceGroup)),
  likers: endpoint(
    'member',
    v.object({ ...idInputSchema.entries, ...pageFields(100, 500) }),
    v.array(listedUserSchema),
    { paginated: true, errorStatuses: [404] },
  ),
  toggleLike: endpoint('member', idInputSchema, LikeResult, {
    errorStatuses: [404],
  }),
  like: endpoint('member', idInputSchema, LikeResult, {
    errorStatuses: [404],
  }),
  unlike: endpoint('member', idInputSchema, LikeResult, {
    errorStatuses: [404],
  }),
}

/**
 * The channel `posts` is public, so that visitors can subscribe too. Events of a post that is not for
 * everybody go only to the sockets of members who may see it. The features `replies` and `reactions` also
 * broadcast their events (`replyEvents`, `reactionEvents`) to this channel.
 */
export const postChannelSchemas = {
  posts: channel({
    /** `post` is the same for all viewers, so its `liked_by_me` and `bookmarked_by_me` are false. */
    PostCreated: v.object({ id: v.number(), user_id: v.number(), post: postSchema }),
    PostChanged: v.object({ id: v.number(), body: v.nullable(v.string()), edited_at: isoTime }),
    PostPinned: v.object({ id: v.number(), pinned: v.boolean() }),
    /** Sent only to the open windows of the member. */
    PostBookmarked: v.object({ id: v.number(), bookmarked: v.boolean() }),
    PostLiked: v.object({ id: v.number(), likes_count: v.number() }),
    PostDeleted: v.object({ id: v.number() }),
    /** The pictures and files were removed because of their age. */
    PostImagesRemoved: v.object({ ids: v.array(v.number()) }),
  }),
}
export type PostEvents = {
  [E in keyof typeof postChannelSchemas.posts.events]: v.InferOutput<
    (typeof postChannelSchemas.posts.events)[E]
  >
}

const PinInput = v.object({
  ...idInputSchema.entries,
  /**
   * All members who may see the post get a notification of the kind `announcement`, at most one for a post.
   * Allowed only for a post that is pinned for the community. Default: false.
   */
  tell_everyone: v.optional(v.boolean('invalid')),
})

const PinResult = v.object({ message: v.string(), pinned: v.boolean() })

export const pinSchemas = {
  /** The newest pin first, without posts of people whom the viewer has muted. */
  list: endpoint('reader', v.object({ group_id: v.optional(idSchema) }), v.array(postSchema)),
  /**
   * An admin can pin a post for the community, and an admin or the owner of a group a post of this group.
   * Beyond `MAX_PINNED_POSTS`, the post that was pinned first is unpinned.
   */
  pin: endpoint('member', PinInput, PinResult, {
    errorStatuses: [403, 404],
  }),
  unpin: endpoint('member', idInputSchema, PinResult, {
    errorStatuses: [403, 404],
  }),
}

const BookmarkResult = v.object({ bookmarked: v.boolean() })

/** Only the member sees them. */
export const bookmarkSchemas = {
  /** Only posts that the member may see, the newest bookmark first. */
  list: endpoint('member', v.object(pageFields(20, 100)), v.array(postSchema), {
    paginated: true,
  }),
  add: endpoint('member', idInputSchema, BookmarkResult, {
    errorStatuses: [404],
  }),
  /** Also succeeds if the member has not bookmarked the post. */
  remove: endpoint('member', idInputSchema, BookmarkResult),
}

export const versionSchema = v.object({
  id: v.number(),
  body: v.nullable(v.string()),
  /** The time at which the author wrote this version. */
  created_at: isoTime,
})
export type PostVersion = v.InferOutput<typeof versionSchema>

export const editSchemas = {
  edit: endpoint(
    'member',
    v.object({ ...idInputSchema.entries, text: optionalText(MAX_POST_LENGTH) }),
    v.object({ message: v.string(), post: postSchema }),
    { limits: [{ max: 120, by: 'account' }], errorStatuses: [403, 404] },
  ),
  /** Newest first, without the current version. */
  versions: endpoint(
    'reader',
    v.object({ ...idInputSchema.entries, ...pageFields(20, 100) }),
    v.array(versionSchema),
    { paginated: true, errorStatuses: [404] },
  ),
}
