import type { AppContext } from '#core/context.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import type { ChannelGuards } from '#core/realtime/authorisation.ts'
import * as answerPage from './answer-page.ts'
import * as answers from './answers.ts'
import * as board from './board.ts'
import type { phoneEndpoints, rollCallChannels, rollCallEndpoints } from './contract.ts'
import * as managers from './managers.ts'
import * as model from './model.ts'
import { numbers } from './numbers.ts'
import * as phones from './phones.ts'
import * as read from './read.ts'
import { report } from './report.ts'

export const rollCallHandlers: Handlers<typeof rollCallEndpoints> = {
  list: (context) => read.list(context, context.input),
  scopes: async (context) => ({
    everyone: context.me.is_admin,
    groups: await managers.listGroups(context),
  }),
  start: async (context) => read.get(context, await model.start(context, context.input)),
  show: (context) => read.get(context, context.input.id),
  answer: async (context) => {
    const { id, for: child, ...answer } = context.input
    await answers.save(context, id, child ?? context.me.id, answer)
    return read.get(context, id)
  },
  board: (context) => board.get(context, context.input.id),
  members: (context) => board.listMembers(context, context.input),
  end: async (context) => {
    await model.end(context, context.input.id)
    return read.get(context, context.input.id)
  },
  report: (context) => report(context, context.input.id, context.lang),
  numbers: (context) => numbers(context, context.input.group_id ?? null, context.lang),
  page: (context) => answerPage.show(context, context.input.token, context.lang),
  confirm: (context) => answerPage.confirm(context, context.input, context.lang),
}

export const phoneHandlers: Handlers<typeof phoneEndpoints> = {
  own: (context) => phones.getOwn(context),
  save: (context) => phones.save(context, context.input),
  of: (context) => phones.get(context, context.input.id),
}

export const boardGuards = (context: AppContext): ChannelGuards<typeof rollCallChannels> => ({
  board: (me, { call }) => read.mayWatch(context, me, call),
})
