import * as v from 'valibot'
import { defineEndpoint, idInputSchema } from '#core/contract.ts'
import {
  commaSeparatedReactionSubjectIdsSchema,
  reactionSubjectKindSchema,
} from '#features/reactions/contract.ts'

/**
 * The preview of the web page to which the first link of a post, reply or message leads. All its texts are
 * plain text.
 */
const LinkPreview = v.object({
  /** The id of the member who wrote the text with the link. This member can remove the preview. */
  user_id: v.number(),
  /** The URL of the link, as the URL parser normalises it. */
  url: v.string(),
  /** The host name of the linked page, such as `town.example`. */
  host: v.string(),
  /**
   * The name that the website gives itself; null if it has none, or if the name is the same as the host name.
   */
  site: v.nullable(v.string()),
  title: v.string(),
  description: v.nullable(v.string()),
})
export type LinkPreview = v.InferOutput<typeof LinkPreview>

/**
 * An object with the previews by the id of their post, reply or message. The value is null if the text has no
 * preview.
 */
const LinkPreviewsById = v.record(v.string(), v.nullable(LinkPreview))

/**
 * The response with link previews. It contains only the requested posts, replies and messages that the viewer
 * may see. It is empty while previews are switched off in the settings of the community.
 */
const linkPreviewsByKindAndIdSchema = v.object({
  posts: LinkPreviewsById,
  replies: LinkPreviewsById,
  messages: LinkPreviewsById,
})
export type LinkPreviewsByKindAndId = v.InferOutput<typeof linkPreviewsByKindAndIdSchema>

/**
 * Removes the preview of a link from the member's own post, reply or message for good. After an edit with
 * another link, the text gets a new preview. Does nothing if the text has no preview.
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
      posts: commaSeparatedReactionSubjectIdsSchema,
      replies: commaSeparatedReactionSubjectIdsSchema,
      messages: commaSeparatedReactionSubjectIdsSchema,
    }),
    linkPreviewsByKindAndIdSchema,
  ),
  removeFromPost: defineRemoveEndpoint('/api/posts'),
  removeFromReply: defineRemoveEndpoint('/api/replies'),
  removeFromMessage: defineRemoveEndpoint('/api/chat-messages'),
}

/**
 * The data of the event `LinkPreviewChanged`. The event is sent to the channel `posts` for posts and replies,
 * and to the channel of the conversation for messages. It reaches the viewers who get the other events of
 * this post, reply or message.
 */
const LinkPreviewChanged = v.object({
  subject: reactionSubjectKindSchema,
  subject_id: v.number(),
  /** The new preview of the post, reply or message; null if it no longer has one. */
  preview: v.nullable(LinkPreview),
})
export type LinkPreviewChanged = v.InferOutput<typeof LinkPreviewChanged>
