import type { AppContext } from '#core/context.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { httpErrorFactories } from '#core/http/errors.ts'
import type { FeatureStatisticsFunctions } from '#core/statistics.ts'
import { readEmailAndVerifiedTime } from '#features/people/read.ts'
import { createSignedEmailVerificationLink } from '#features/people/verification.ts'
import { readCommunityPictureUrl } from '#features/registration/community-picture.ts'
import { endChildAccountMarkAndReadAccount, markAccountAsChildWithGuardianHandles } from './children.ts'
import type { adminEndpoints } from './contract.ts'
import { cancelAdminRequestedAccountDeletion, suspendMemberAndRequestDeletion } from './deletion.ts'
import * as model from './model.ts'

const stateOf = (context: Pick<AppContext, 'settings' | 'media'>) => ({
  settings: context.settings.current(),
  fixed: [...context.settings.fixed],
  picture: readCommunityPictureUrl(context),
})

/**
 * Creates the handlers of the admin endpoints. `statistics` are the functions with which the running features
 * count the numbers on the dashboard.
 */
export const createAdminEndpointHandlers = (
  statistics: readonly FeatureStatisticsFunctions[],
): EndpointHandlers<typeof adminEndpoints> => ({
  users: async (context) =>
    model.listManagedAccounts(context, context.input, await context.session.isConfirmed()),
  verificationLink: async ({ input, me: _, ...context }) => {
    const { email } = await readEmailAndVerifiedTime(context.db, input.id)
    if (email === null) throw httpErrorFactories.notFound()
    return { link: createSignedEmailVerificationLink(context, input.id, email) }
  },
  grant: (context) => model.grantAdminRightsAndMailMember(context, context.input.id),
  revoke: (context) => model.revokeAdminRightsAndMailMember(context, context.input.id),
  suspend: (context) => model.suspendAccount(context, context.input.id),
  unsuspend: (context) => model.unsuspendAccount(context, context.input.id),
  removeSecondStep: (context) => model.removeAuthenticatorAppAsAdmin(context, context.input.id),
  resetCode: (context) => model.createPasswordResetCodeAndLinkAsAdmin(context, context.input.id),
  remove: (context) => suspendMemberAndRequestDeletion(context, context.input, context.lang),
  keep: (context) => cancelAdminRequestedAccountDeletion(context, context.input.id),
  markChild: (context) => markAccountAsChildWithGuardianHandles(context, context.input),
  endChild: (context) => endChildAccountMarkAndReadAccount(context, context.input.id),
  settings: (context) => stateOf(context),
  saveSettings: async (context) => {
    await model.saveCommunitySettings(context, context.input)
    return stateOf(context)
  },
  facts: ({ db, config }) => model.readAdminStatistics(db, config.BACKUP_AT !== null, statistics),
})
