import type { CountContent } from '#core/community/statistics.ts'
import { transaction } from '#core/database/transaction.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import { HttpError } from '#core/http/errors.ts'
import * as credentials from '#features/people/credentials.ts'
import type { deletionEndpoints } from './contract.ts'
import * as accountDeletions from './deletion.ts'

const adminRequested = () =>
  new HttpError(403, {
    en: 'An admin has requested the deletion. Please contact an admin.',
    ja: '管理者がこのアカウントの削除を手続き中です。取り消したい場合は、管理者にお問い合わせください。',
  })

const noContent = {
  ...{ posts: 0, pictures: 0, replies: 0, private_messages: 0, group_messages: 0, groups: 0 },
  album_pictures: 0,
}

/** Each counter counts the member's content in one running feature. */
export const deletionHandlers = (counters: readonly CountContent[]): Handlers<typeof deletionEndpoints> => ({
  state: async ({ db, me }) => {
    const deletions = await accountDeletions.byAccount(db, [me.id])
    const counts = await Promise.all(counters.map((count) => count(db, me.id)))
    return { deletion: deletions.get(me.id) ?? null, content: Object.assign({}, noContent, ...counts) }
  },

  request: async ({ me, input, session, lang, ...context }) => {
    const request = { user_id: me.id, messages: input.messages, requested_by: me.id, lang }
    return transaction(context.db, async (tx) => {
      await credentials.lockConfirmed(tx, { me, session })
      return accountDeletions.request(context, tx, request)
    })
  },

  keep: async ({ db, me }) => {
    await transaction(db, async (tx) => {
      if ((await accountDeletions.byAccount(tx, [me.id])).get(me.id)?.by_admin) throw adminRequested()
      await accountDeletions.cancel(tx, me.id, me.id)
    })
  },
})
