import * as v from 'valibot'
import { endpoint, idInputSchema } from '#core/schemas.ts'
import { subjectIdsSchema, subjectSchema } from '#features/reactions/schemas.ts'

/** Shows the first link of a post, reply or message. All texts are plain text. */
const LinkPreview = v.object({
  /** The member who wrote the text with the link, and can remove the preview. */
  user_id: v.number(),
  /** As the URL parser normalises it. */
  url: v.string(),
  /** Such as `town.example`. */
  host: v.string(),
  /** The website's own name; null if it has none, or if it is the same as the host name. */
  site: v.nullable(v.string()),
  title: v.string(),
  description: v.nullable(v.string()),
})
export type LinkPreview = v.InferOutput<typeof LinkPreview>

/** By the id of the post, reply or message; null if the text has no preview. */
const LinkPreviewsById = v.record(v.string(), v.nullable(LinkPreview))

/** Only texts that the viewer may see. Empty while previews are switched off in the settings. */
const previewsSchema = v.object({
  posts: LinkPreviewsById,
  replies: LinkPreviewsById,
  messages: LinkPreviewsById,
})
export type Previews = v.InferOutput<typeof previewsSchema>

/** Removes it for good; an edit with another link gets a new one. Does nothing if the text has no preview. */
const remove = endpoint('member', idInputSchema, v.void(), {
  status: 204,
  limits: [{ max: 120, by: 'account' }],
  errorStatuses: [403, 404],
})

export const previewSchemas = {
  list: endpoint(
    'reader',
    v.object({
      posts: subjectIdsSchema,
      replies: subjectIdsSchema,
      messages: subjectIdsSchema,
    }),
    previewsSchema,
  ),
  removeFromPost: remove,
  removeFromReply: remove,
  removeFromMessage: remove,
}

/**
 * Sent to the channel `posts` for posts and replies, and to that of the conversation for messages. It reaches
 * the viewers who get the other events of the text.
 */
const LinkPreviewChanged = v.object({
  subject: subjectSchema,
  subject_id: v.number(),
  /** Null if the text no longer has one. */
  preview: v.nullable(LinkPreview),
})
export type LinkPreviewChanged = v.InferOutput<typeof LinkPreviewChanged>
