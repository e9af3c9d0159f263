import { transaction } from '#core/database/transaction.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { HttpError } from '#core/http/errors.ts'
import type { CountMemberContentByResponseField } from '#core/statistics.ts'
import { lockAndReadAccountOfRecentlyConfirmedSession } from '#features/people/credentials.ts'
import {
  cancelAccountDeletion,
  readAccountDeletionRequestsByAccountId,
  requestAccountDeletion,
} from './deletion.ts'
import type { accountDeletionEndpoints } from './deletion-contract.ts'

const createAdminRequestedError = () =>
  new HttpError(403, {
    en: 'An admin has requested the deletion. Please contact an admin.',
    ja: '管理者が削除を申請しています。管理者にお問い合わせください。',
  })

const noContent = { posts: 0, pictures: 0, replies: 0, private_messages: 0, group_messages: 0, groups: 0 }

/**
 * Creates the handlers of the endpoints for the deletion of the own account. Each function in `counters`
 * counts what a member has written in one running feature.
 */
export const createAccountDeletionEndpointHandlers = (
  counters: readonly CountMemberContentByResponseField[],
): EndpointHandlers<typeof accountDeletionEndpoints> => ({
  state: async ({ db, me }) => {
    const deletions = await readAccountDeletionRequestsByAccountId(db, [me.id])
    const counts = await Promise.all(counters.map((count) => count(db, me.id)))
    return { deletion: deletions.get(me.id) ?? null, content: Object.assign({}, noContent, ...counts) }
  },

  request: async ({ me, input, session, lang, ...context }) => {
    const request = { user_id: me.id, messages: input.messages, requested_by: me.id, lang }
    return transaction(context.db, async (tx) => {
      await lockAndReadAccountOfRecentlyConfirmedSession(tx, { me, session })
      return requestAccountDeletion(context, tx, request)
    })
  },

  keep: async ({ db, me }) => {
    await transaction(db, async (tx) => {
      if ((await readAccountDeletionRequestsByAccountId(tx, [me.id])).get(me.id)?.by_admin)
        throw createAdminRequestedError()
      await cancelAccountDeletion(tx, me.id, me.id)
    })
  },
})
