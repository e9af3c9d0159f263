import type { EndpointHandlers } from '#core/http/endpoints.ts'
import type { linkPreviewEndpoints } from './contract.ts'
import { removeOwnPreview } from './model.ts'
import { readVisiblePreviews } from './read.ts'

export const linkPreviewHandlers: EndpointHandlers<typeof linkPreviewEndpoints> = {
  list: async (context) => {
    const [posts, replies, messages] = await Promise.all([
      readVisiblePreviews(context, 'post', context.input.posts),
      readVisiblePreviews(context, 'reply', context.input.replies),
      readVisiblePreviews(context, 'message', context.input.messages),
    ])
    return { posts, replies, messages }
  },
  removeFromPost: (context) => removeOwnPreview(context, 'post', context.input.id),
  removeFromReply: (context) => removeOwnPreview(context, 'reply', context.input.id),
  removeFromMessage: (context) => removeOwnPreview(context, 'message', context.input.id),
}
