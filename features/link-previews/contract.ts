import * as v from 'valibot'
import { defineEndpoint, idInputSchema } from '#core/contract.ts'
import { reactionSubjectIdListSchema, reactionSubjectKindSchema } from '#features/reactions/contract.ts'

/**
 * The preview of a web page: the page to which the first link of a text leads. All its texts are plain text.
 */
const LinkPreview = v.object({
  /** The id of the author of the text, who can remove the preview. */
  user_id: v.number(),
  /** The URL of the link, in the normal form of URLs. */
  url: v.string(),
  /** The host of the link, such as `town.example`. */
  host: v.string(),
  /** The name that the site gives itself, if it has one that differs from the host. */
  site: v.nullable(v.string()),
  title: v.string(),
  description: v.nullable(v.string()),
})
export type LinkPreview = v.InferOutput<typeof LinkPreview>

/** The previews by the id of the post, reply or message; null for one without a preview. */
const LinkPreviewsById = v.record(v.string(), v.nullable(LinkPreview))

/**
 * Contains only the requested posts, replies and messages that the viewer may see. Empty if the admins have
 * not switched previews on.
 */
const LinkPreviews = v.object({
  posts: LinkPreviewsById,
  replies: LinkPreviewsById,
  messages: LinkPreviewsById,
})
export type LinkPreviews = v.InferOutput<typeof LinkPreviews>

/**
 * Removes the preview below the member's own text for good. After an edit with another link, the text gets a
 * new preview. Does nothing if the text has no preview.
 */
const defineRemoveEndpoint = (path: `/${string}`) =>
  defineEndpoint(`DELETE ${path}/:id/link-preview`, 'member', idInputSchema, v.void(), {
    status: 204,
    limits: [{ max: 120, by: 'account' }],
    errorStatuses: [403, 404],
  })

export const linkPreviewEndpoints = {
  list: defineEndpoint(
    'GET /api/link-previews',
    'reader',
    v.object({
      posts: reactionSubjectIdListSchema,
      replies: reactionSubjectIdListSchema,
      messages: reactionSubjectIdListSchema,
    }),
    LinkPreviews,
  ),
  removeFromPost: defineRemoveEndpoint('/api/posts'),
  removeFromReply: defineRemoveEndpoint('/api/replies'),
  removeFromMessage: defineRemoveEndpoint('/api/chat-messages'),
}

/**
 * The event `LinkPreviewChanged`. It is sent to the channel `posts` for posts and replies, and to the
 * channel of the conversation for messages. It reaches the viewers who get the other events of this post,
 * reply or message.
 */
const LinkPreviewChanged = v.object({
  subject: reactionSubjectKindSchema,
  subject_id: v.number(),
  /** The new preview; null if the text no longer has one. */
  preview: v.nullable(LinkPreview),
})
export type LinkPreviewChanged = v.InferOutput<typeof LinkPreviewChanged>
