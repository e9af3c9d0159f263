import type { Statistics } from '#core/community/statistics.ts'
import type { AppContext } from '#core/context.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import { httpErrors } from '#core/http/errors.ts'
import * as people from '#features/people/read.ts'
import { verificationLink } from '#features/people/verification.ts'
import { communityPictureUrl } from '#features/registration/community-picture.ts'
import { verifyAddresses } from './addresses.ts'
import { endChildMark, markChild } from './children.ts'
import type { adminEndpoints } from './contract.ts'
import { cancelDeletion, removeMember } from './deletion.ts'
import * as model from './model.ts'

const stateOf = (context: Pick<AppContext, 'settings' | 'media'>) => ({
  settings: context.settings.current(),
  fixed: [...context.settings.fixed],
  picture: communityPictureUrl(context),
})

export const adminHandlers = (statistics: readonly Statistics[]): Handlers<typeof adminEndpoints> => ({
  users: async (context) => model.list(context, context.input, await context.session.isConfirmed()),
  verificationLink: async ({ input, me: _, ...context }) => {
    const { email } = await people.getEmail(context.db, input.id)
    if (email === null) throw httpErrors.notFound()
    return { link: verificationLink(context, input.id, email) }
  },
  verifyAll: (context) => verifyAddresses(context),
  grant: (context) => model.grantAdmin(context, context.input.id),
  revoke: (context) => model.revokeAdmin(context, context.input.id),
  trust: (context) => model.trust(context, context.input.id),
  distrust: (context) => model.distrust(context, context.input.id),
  suspend: (context) => model.suspend(context, context.input.id),
  unsuspend: (context) => model.unsuspend(context, context.input.id),
  removeSecondStep: (context) => model.removeSecondStep(context, context.input.id),
  resetCode: (context) => model.createResetCode(context, context.input.id),
  remove: (context) => removeMember(context, context.input, context.lang),
  keep: (context) => cancelDeletion(context, context.input.id),
  markChild: (context) => markChild(context, context.input),
  endChild: (context) => endChildMark(context, context.input.id),
  settings: (context) => stateOf(context),
  saveSettings: async (context) => {
    await model.saveSettings(context, context.input)
    return stateOf(context)
  },
  facts: (context) => model.getStatistics(context, statistics),
})
