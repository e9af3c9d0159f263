import type { Handlers } from '#core/http/endpoints.ts'
import type { acknowledgementEndpoints } from './contract.ts'
import * as csv from './csv.ts'
import * as lists from './lists.ts'
import * as model from './model.ts'
import * as read from './read.ts'

export const acknowledgementHandlers: Handlers<typeof acknowledgementEndpoints> = {
  states: (context) => read.states(context, context.input.posts),
  count: (context) => lists.countWaiting(context),
  waiting: (context) => lists.waiting(context, context.input),
  asked: (context) => lists.asked(context, context.input),
  all: (context) => lists.all(context, context.input),
  file: (context) => csv.file(context, context.input.id),
  add: (context) => model.add(context, context.input),
  remove: (context) => model.remove(context, context.input),
  readers: (context) => read.readers(context, context.input),
  askAgain: (context) => model.askAgain(context, context.input.id, context.input.keep_answers),
  remind: (context) => model.remind(context, context.input.id, context.input.urgent),
  end: (context) => model.end(context, context.input.id),
}
