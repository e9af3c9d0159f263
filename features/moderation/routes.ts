import type { Handlers } from '#core/http/endpoints.ts'
import { listModerators } from '#features/people/moderators.ts'
import * as cases from './cases.ts'
import type { moderationEndpoints, reportEndpoints } from './contract.ts'
import { decideCase } from './decisions.ts'
import { openEvidence } from './evidence.ts'
import { appointModerator, removeModerator } from './moderators.ts'
import * as notices from './notices.ts'
import { createReport, listOwnReports } from './reports.ts'

const received = {
  en: 'Thank you. The moderators will look at it.',
  ja: 'ありがとうございます。モデレーターが確認します。',
}
const receivedBefore = {
  en: 'You have reported this already. The moderators will look at it.',
  ja: 'この内容はすでに報告済みです。モデレーターが確認します。',
}
/** `isNew`: the member has not reported the same before. */
export const reportAnswer = (isNew: boolean) => (isNew ? received : receivedBefore)

const messages = {
  appointed: { en: 'The member is a moderator now.', ja: 'モデレーターにしました。' },
  removed: { en: 'The member is no longer a moderator.', ja: 'モデレーターから外しました。' },
}

export const reportHandlers: Handlers<typeof reportEndpoints> = {
  create: async (context) => {
    const isNew = await createReport(context, context.input)
    return { message: reportAnswer(isNew)[context.lang] }
  },
  mine: (context) => listOwnReports(context, context.input),
  notices: (context) => notices.listOpen(context),
  acknowledge: async (context) => {
    await notices.acknowledge(context, context.input.id)
    return undefined
  },
}

export const moderationHandlers: Handlers<typeof moderationEndpoints> = {
  cases: (context) => cases.list(context, context.input),
  show: (context) => cases.get(context, context.input.id),
  open: async (context) => {
    await openEvidence(context, context.input.id)
    return cases.get(context, context.input.id)
  },
  decide: async (context) => {
    await decideCase(context, context.input)
    return cases.get(context, context.input.id)
  },
  moderators: (context) => listModerators(context, context.input),
  appoint: async (context) => {
    await appointModerator(context, context.input.handle)
    return { message: messages.appointed[context.lang] }
  },
  removeModerator: async (context) => {
    await removeModerator(context, context.input.id)
    return { message: messages.removed[context.lang] }
  },
}
