import type { Handlers } from '#core/http/endpoints.ts'
import type { calendarEndpoints } from './contract.ts'
import * as feed from './feed.ts'
import * as model from './model.ts'

export const calendarHandlers: Handlers<typeof calendarEndpoints> = {
  get: (context) => model.get(context),
  renew: (context) => model.renew(context),
  end: (context) => model.end(context),
  feed: (context) => feed.get(context, context.input.token),
}
