import type { Handlers } from '#core/http/endpoints.ts'
import type { pollEndpoints } from './contract.ts'
import * as csv from './csv.ts'
import * as missing from './missing.ts'
import * as model from './model.ts'
import * as read from './read.ts'
import * as reminders from './reminders.ts'
import * as votes from './votes.ts'
import * as waiting from './waiting.ts'

export const pollHandlers: Handlers<typeof pollEndpoints> = {
  list: (context) => read.list(context, context.input),
  waiting: (context) => waiting.list(context, context.input),
  vote: (context) => votes.vote(context, context.input.id, context.input),
  withdraw: (context) => votes.withdraw(context, context.input.id, context.input.for),
  addOption: (context) => model.addOption(context, context.input.id, context.input.text),
  end: (context) => model.end(context, context.input.id),
  voters: (context) => read.listVoters(context, context.input),
  missing: (context) => missing.list(context, context.input),
  file: (context) => csv.file(context, context.input.id),
  remind: (context) => reminders.remind(context, context.input.id),
}
