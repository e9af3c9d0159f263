import type { Handlers } from '#core/http/endpoints.ts'
import * as answerPage from './answer-page.ts'
import * as answers from './answers.ts'
import type { eventEndpoints } from './contract.ts'
import * as guests from './guests.ts'
import * as holidays from './holidays.ts'
import * as missing from './missing.ts'
import * as model from './model.ts'
import * as read from './read.ts'
import * as reminders from './reminders.ts'

export const eventHandlers: Handlers<typeof eventEndpoints> = {
  ofPosts: (context) => read.ofPosts(context, context.input.posts),
  dates: (context) => read.list(context, context.input),
  holidays: ({ input, lang }) => Promise.resolve(holidays.between(input.from, input.to, lang)),
  date: (context) => read.get(context, context.input.id),
  change: (context) => model.change(context, context.input.id, context.input),
  answer: (context) => answers.answer(context, context.input.id, context.input),
  withdraw: (context) => answers.withdraw(context, context.input.id, context.input.for),
  guests: (context) => guests.list(context, context.input),
  missing: (context) => missing.list(context, context.input),
  remind: (context) => reminders.remind(context, context.input.id),
  close: (context) => model.close(context, context.input.id),
  cancel: (context) => model.cancel(context, context.input.id, context.input.scope),
  restore: (context) => model.restore(context, context.input.id, context.input.scope),
  answerPage: (context) => answerPage.show(context, context.input.token, context.lang),
  confirmAnswer: (context) => answerPage.confirm(context, context.input, context.lang),
  attend: (context) => guests.attend(context, context.input),
}
