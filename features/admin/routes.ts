import type { Handlers } from '#core/http.ts'
import { emailOf } from '#features/people/model.ts'
import { verificationLink } from '#features/people/verification.ts'
import type { admin } from './contract.ts'
import * as model from './model.ts'

export const routes: Handlers<typeof admin> = {
  users: ({ db, media, input }) => model.users(db, media, input),
  verificationLink: async ({ input, me: _, ...house }) => {
    const { email } = await emailOf(house.db, input.id)
    return { link: verificationLink(house, input.id, email) }
  },
}
