import type { AppContext } from '#core/context.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { httpErrors } from '#core/http/errors.ts'
import type { FeatureStatistics } from '#core/statistics.ts'
import { readEmailAndVerifiedTime } from '#features/people/read.ts'
import { createVerificationLink } from '#features/people/verification.ts'
import { readCommunityPictureUrl } from '#features/registration/community-picture.ts'
import { endChildMarkAndReadAccount, markAccountAsChildByHandles } from './children.ts'
import type { adminEndpoints } from './contract.ts'
import { cancelAdminRequestedDeletion, suspendMemberAndRequestDeletion } from './deletion.ts'
import * as model from './model.ts'

const stateOf = (context: Pick<AppContext, 'settings' | 'media'>) => ({
  settings: context.settings.current(),
  fixed: [...context.settings.fixed],
  picture: readCommunityPictureUrl(context),
})

/**
 * Creates the handlers of the admin endpoints. `statistics` are the numbers that the running features show on
 * the dashboard.
 */
export const createAdminHandlers = (
  statistics: readonly FeatureStatistics[],
): EndpointHandlers<typeof adminEndpoints> => ({
  users: (context) => model.listAccounts(context, context.input),
  verificationLink: async ({ input, me: _, ...context }) => {
    const { email } = await readEmailAndVerifiedTime(context.db, input.id)
    if (email === null) throw httpErrors.notFound()
    return { link: createVerificationLink(context, input.id, email) }
  },
  grant: (context) => model.grantAdminRights(context, context.input.id),
  revoke: (context) => model.revokeAdminRights(context, context.input.id),
  suspend: (context) => model.suspendAccount(context, context.input.id),
  unsuspend: (context) => model.unsuspendAccount(context, context.input.id),
  removeSecondStep: (context) => model.removeSecondStepOfAccount(context, context.input.id),
  resetCode: (context) => model.createMemberPasswordResetCode(context, context.input.id),
  remove: (context) => suspendMemberAndRequestDeletion(context, context.input, context.lang),
  keep: (context) => cancelAdminRequestedDeletion(context, context.input.id),
  markChild: (context) => markAccountAsChildByHandles(context, context.input),
  endChild: (context) => endChildMarkAndReadAccount(context, context.input.id),
  settings: (context) => stateOf(context),
  saveSettings: async (context) => {
    await model.saveSettings(context, context.input)
    return stateOf(context)
  },
  facts: ({ db, config }) => model.readAdminStatistics(db, config.BACKUP_AT !== null, statistics),
})
