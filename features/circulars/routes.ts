import type { AppContext } from '#core/context.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import { getFeeds } from '#features/posts/feeds.ts'
import { idsWithFiles } from '#features/posts/read.ts'
import type { circularEndpoints } from './contract.ts'

export const createHandlers = (app: AppContext): Handlers<typeof circularEndpoints> => ({
  posts: (context) => getFeeds(app).withIdsIn(context, context.input, idsWithFiles),
})
