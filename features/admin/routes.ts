import type { CommunitySettings } from '#core/community-settings.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import type { FeatureStatistics } from '#core/statistics.ts'
import { readEmail } from '#features/people/read.ts'
import { requireConfirmedSession } from '#features/people/sessions.ts'
import { createVerificationLink } from '#features/people/verification.ts'
import type { adminEndpoints } from './contract.ts'
import { cancelMemberDeletion, requestMemberDeletion } from './deletion.ts'
import * as model from './model.ts'

const stateOf = ({ current, fixed }: CommunitySettings) => ({ settings: current(), fixed: [...fixed] })

/** Creates the handlers. `statistics` are those of the running features. */
export const createAdminRoutes = (
  statistics: readonly FeatureStatistics[],
): EndpointHandlers<typeof adminEndpoints> => ({
  users: (context) => model.listAccounts(context, context.input),
  verificationLink: async ({ input, me: _, ...context }) => {
    await requireConfirmedSession(context.db, context.session.token)
    const { email } = await readEmail(context.db, input.id)
    return { link: createVerificationLink(context, input.id, email) }
  },
  grant: async (context) => {
    await requireConfirmedSession(context.db, context.session.token)
    return model.grantAdminRights(context, context.input.id)
  },
  revoke: async (context) => {
    await requireConfirmedSession(context.db, context.session.token)
    return model.revokeAdminRights(context, context.input.id)
  },
  suspend: async (context) => {
    await requireConfirmedSession(context.db, context.session.token)
    return model.suspendAccount(context, context.input.id)
  },
  unsuspend: async (context) => {
    await requireConfirmedSession(context.db, context.session.token)
    return model.unsuspendAccount(context, context.input.id)
  },
  removeSecondStep: async (context) => {
    await requireConfirmedSession(context.db, context.session.token)
    return model.removeSecondStepOfAccount(context, context.input.id)
  },
  resetCode: async (context) => {
    await requireConfirmedSession(context.db, context.session.token)
    return { code: await model.createMemberResetCode(context, context.input.id) }
  },
  remove: async (context) => {
    await requireConfirmedSession(context.db, context.session.token)
    return requestMemberDeletion(context, context.input, context.lang)
  },
  keep: async (context) => {
    await requireConfirmedSession(context.db, context.session.token)
    return cancelMemberDeletion(context, context.input.id)
  },
  settings: ({ settings }) => stateOf(settings),
  saveSettings: async (context) => {
    await requireConfirmedSession(context.db, context.session.token)
    await model.saveSettings(context, context.input)
    return stateOf(context.settings)
  },
  facts: ({ db, config }) => model.readAdminStatistics(db, config.BACKUP_AT !== null, statistics),
})
