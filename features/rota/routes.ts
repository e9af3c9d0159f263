import type { Handlers } from '#core/http/endpoints.ts'
import type { rotaEndpoints } from './contract.ts'
import * as model from './model.ts'
import * as read from './read.ts'

export const rotaHandlers: Handlers<typeof rotaEndpoints> = {
  list: (context) => read.get(context, context.input.id),
  add: (context) => model.add(context, context.input),
  change: (context) => model.change(context, context.input),
  remove: (context) => model.remove(context, context.input.id),
  join: (context) => model.join(context, context.input.id, context.input.for),
  leave: (context) => model.leave(context, context.input.id, context.input.for),
}
