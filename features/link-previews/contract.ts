import { endpoints } from '#core/contract.ts'
import type { previewSchemas } from './schemas.ts'

export type { LinkPreview, LinkPreviewChanged, Previews } from './schemas.ts'

export const previewEndpoints = endpoints<typeof previewSchemas>({
  list: 'GET /api/link-previews',
  removeFromPost: 'DELETE /api/posts/:id/link-preview',
  removeFromReply: 'DELETE /api/replies/:id/link-preview',
  removeFromMessage: 'DELETE /api/chat-messages/:id/link-preview',
})
