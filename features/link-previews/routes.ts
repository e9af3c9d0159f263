import type { AppContext } from '#core/context.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import type { linkPreviewEndpoints } from './contract.ts'
import { removeOwnPreview } from './model.ts'
import { createPreviewsReader } from './read.ts'

export function createLinkPreviewHandlers(app: AppContext): EndpointHandlers<typeof linkPreviewEndpoints> {
  const readPreviews = createPreviewsReader(app)
  return {
    list: (context) => readPreviews(context, context.input),
    removeFromPost: (context) => removeOwnPreview(context, 'post', context.input.id),
    removeFromReply: (context) => removeOwnPreview(context, 'reply', context.input.id),
    removeFromMessage: (context) => removeOwnPreview(context, 'message', context.input.id),
  }
}
