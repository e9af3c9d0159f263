import type { Handlers } from '#core/http/endpoints.ts'
import * as attachments from './attachments.ts'
import type { searchEndpoints } from './contract.ts'
import { overview } from './overview.ts'
import * as read from './read.ts'

export const searchHandlers: Handlers<typeof searchEndpoints> = {
  list: (context) => read.list(context, context.input),
  overview: async (context) => overview(context, context.input),
  attachments: (context) => attachments.list(context, context.input),
}
