import type { EndpointHandlers } from '#core/http/endpoints.ts'
import type { mentionEndpoints } from './contract.ts'
import { listMentionCandidates } from './read.ts'

export const mentionEndpointHandlers: EndpointHandlers<typeof mentionEndpoints> = {
  candidates: (context) => listMentionCandidates(context, context.input),
}
