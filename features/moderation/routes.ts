import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { listModerators } from '#features/people/moderators.ts'
import { listCases, readCase } from './cases.ts'
import type { moderationEndpoints, reportEndpoints } from './contract.ts'
import { decideCase } from './decisions.ts'
import { recordEvidenceOpening } from './evidence.ts'
import { appointModerator, removeModerator } from './moderators.ts'
import { acknowledgeNotice, listOpenNotices } from './notices.ts'
import { createReport, listOwnReports } from './reports.ts'

const messages = {
  reported: {
    en: 'Thank you. The moderators will look at it.',
    ja: 'ありがとうございます。モデレーターが確認します。',
  },
  appointed: { en: 'The member is a moderator now.', ja: 'モデレーターにしました。' },
  removed: { en: 'The member is no longer a moderator.', ja: 'モデレーターから外しました。' },
}

export const reportHandlers: EndpointHandlers<typeof reportEndpoints> = {
  create: async (context) => {
    await createReport(context, context.input)
    return { message: messages.reported[context.lang] }
  },
  mine: (context) => listOwnReports(context, context.input),
  notices: (context) => listOpenNotices(context),
  acknowledge: async (context) => {
    await acknowledgeNotice(context, context.input.id)
    return undefined
  },
}

export const moderationHandlers: EndpointHandlers<typeof moderationEndpoints> = {
  cases: (context) => listCases(context, context.input),
  show: (context) => readCase(context, context.input.id),
  open: async (context) => {
    await recordEvidenceOpening(context, context.input.id)
    return readCase(context, context.input.id)
  },
  decide: async (context) => {
    await decideCase(context, context.input)
    return readCase(context, context.input.id)
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
