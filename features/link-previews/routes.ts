import type { Handlers } from '#core/http/endpoints.ts'
import type { previewEndpoints } from './contract.ts'
import * as model from './model.ts'
import * as read from './read.ts'

export const previewHandlers: Handlers<typeof previewEndpoints> = {
  list: (context) => read.list(context, context.input),
  removeFromPost: (context) => model.removeOwn(context, 'post', context.input.id),
  removeFromReply: (context) => model.removeOwn(context, 'reply', context.input.id),
  removeFromMessage: (context) => model.removeOwn(context, 'message', context.input.id),
}
