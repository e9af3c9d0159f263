import type { Handlers } from '#core/http/endpoints.ts'
import type { acknowledgementEndpoints } from './contract.ts'
import * as model from './model.ts'
import * as read from './read.ts'

export const acknowledgementHandlers: Handlers<typeof acknowledgementEndpoints> = {
  states: (context) => read.states(context, context.input.posts),
  add: (context) => model.add(context, context.input),
  remove: (context) => model.remove(context, context.input),
  readers: (context) => read.readers(context, context.input),
  askAgain: (context) => model.askAgain(context, context.input.id, context.input.keep_answers),
  end: (context) => model.end(context, context.input.id),
}
