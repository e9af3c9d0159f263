import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { listModerators } from '#features/people/moderators.ts'
import { listModerationCases, readModerationCase } from './cases.ts'
import type { moderationEndpoints, reportAndModerationNoticeEndpoints } from './contract.ts'
import { decideModerationCase } from './decisions.ts'
import { recordOpeningOfPrivateChatEvidence } from './evidence.ts'
import { appointModeratorByHandle, removeModerator } from './moderators.ts'
import { acknowledgeModerationNotice, listUnacknowledgedModerationNotices } from './notices.ts'
import { createModerationReport, listOwnModerationReports } from './reports.ts'

export const reportReceivedSentence = {
  en: 'Thank you. The moderators will look at it.',
  ja: 'ありがとうございます。モデレーターが確認します。',
}
const messages = {
  appointed: { en: 'The member is a moderator now.', ja: 'モデレーターにしました。' },
  removed: { en: 'The member is no longer a moderator.', ja: 'モデレーターから外しました。' },
}

export const reportAndModerationNoticeEndpointHandlers: EndpointHandlers<
  typeof reportAndModerationNoticeEndpoints
> = {
  create: async (context) => {
    await createModerationReport(context, context.input)
    return { message: reportReceivedSentence[context.lang] }
  },
  mine: (context) => listOwnModerationReports(context, context.input),
  notices: (context) => listUnacknowledgedModerationNotices(context),
  acknowledge: async (context) => {
    await acknowledgeModerationNotice(context, context.input.id)
    return undefined
  },
}

export const moderationEndpointHandlers: EndpointHandlers<typeof moderationEndpoints> = {
  cases: (context) => listModerationCases(context, context.input),
  show: (context) => readModerationCase(context, context.input.id),
  open: async (context) => {
    await recordOpeningOfPrivateChatEvidence(context, context.input.id)
    return readModerationCase(context, context.input.id)
  },
  decide: async (context) => {
    await decideModerationCase(context, context.input)
    return readModerationCase(context, context.input.id)
  },
  moderators: (context) => listModerators(context, context.input),
  appoint: async (context) => {
    await appointModeratorByHandle(context, context.input.handle)
    return { message: messages.appointed[context.lang] }
  },
  removeModerator: async (context) => {
    await removeModerator(context, context.input.id)
    return { message: messages.removed[context.lang] }
  },
}
