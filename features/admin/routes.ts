import type { Handlers } from '#core/http/endpoints.ts'
import type { Statistics } from '#core/statistics.ts'
import { emailOf } from '#features/people/model.ts'
import { verificationLink } from '#features/people/verification.ts'
import type { admin } from './contract.ts'
import * as model from './model.ts'

/** `statistics` are those of the features that run. */
export const routes = (statistics: readonly Statistics[]): Handlers<typeof admin> => ({
  users: ({ db, media, input }) => model.users(db, media, input),
  verificationLink: async ({ input, me: _, ...context }) => {
    const { email } = await emailOf(context.db, input.id)
    return { link: verificationLink(context, input.id, email) }
  },
  grant: ({ db, media, me, input }) => model.grant(db, media, me.id, input.id),
  revoke: ({ db, media, input }) => model.revoke(db, media, input.id),
  suspend: async ({ db, media, realtime, me, input }) => {
    const account = await model.suspend(db, media, me.id, input.id)
    realtime.revoke({ member: input.id })
    return account
  },
  letBackIn: ({ db, media, input }) => model.unsuspend(db, media, input.id),
  facts: ({ db, config }) => model.facts(db, config.BACKUP_AT !== null, statistics),
})
