import type { AppContext } from '#core/context.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import type { linkPreviewEndpoints } from './contract.ts'
import { removeLinkPreviewOfOwnText } from './model.ts'
import { createCachedLinkPreviewsReader } from './read.ts'

export function createLinkPreviewEndpointHandlers(
  app: AppContext,
): EndpointHandlers<typeof linkPreviewEndpoints> {
  const readPreviews = createCachedLinkPreviewsReader(app)
  return {
    list: (context) => readPreviews(context, context.input),
    removeFromPost: (context) => removeLinkPreviewOfOwnText(context, 'post', context.input.id),
    removeFromReply: (context) => removeLinkPreviewOfOwnText(context, 'reply', context.input.id),
    removeFromMessage: (context) => removeLinkPreviewOfOwnText(context, 'message', context.input.id),
  }
}
