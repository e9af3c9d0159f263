import type { Handlers } from '#core/http/endpoints.ts'
import type { mentionEndpoints } from './contract.ts'
import * as read from './read.ts'

export const mentionHandlers: Handlers<typeof mentionEndpoints> = {
  candidates: (context) => read.candidates(context, context.input),
}
