import type { AppContext } from '#core/context.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import type { tagEndpoints } from './contract.ts'
import { listPostsWithTag } from './read.ts'

export const createTagEndpointHandlers = (app: AppContext): EndpointHandlers<typeof tagEndpoints> => ({
  posts: (context) => listPostsWithTag(app, context, context.input),
})
