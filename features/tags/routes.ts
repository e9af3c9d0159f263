import type { AppContext } from '#core/context.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import type { tagEndpoints } from './contract.ts'
import { listTagged } from './read.ts'

export const createTagHandlers = (app: AppContext): Handlers<typeof tagEndpoints> => ({
  posts: (context) => listTagged(app, context, context.input),
})
