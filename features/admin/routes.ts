import type { Handlers } from '#core/http/endpoints.ts'
import type { Statistics } from '#core/statistics.ts'
import { emailOf } from '#features/people/read.ts'
import { verificationLink } from '#features/people/verification.ts'
import type { admin } from './contract.ts'
import * as model from './model.ts'

/** `statistics` are those of the features that run. */
export const routes = (statistics: readonly Statistics[]): Handlers<typeof admin> => ({
  users: (context) => model.users(context, context.input),
  verificationLink: async ({ input, me: _, ...context }) => {
    const { email } = await emailOf(context.db, input.id)
    return { link: verificationLink(context, input.id, email) }
  },
  grant: (context) => model.grant(context, context.input.id),
  revoke: (context) => model.revoke(context, context.input.id),
  suspend: (context) => model.suspend(context, context.input.id),
  letBackIn: (context) => model.unsuspend(context, context.input.id),
  facts: ({ db, config }) => model.facts(db, config.BACKUP_AT !== null, statistics),
})
