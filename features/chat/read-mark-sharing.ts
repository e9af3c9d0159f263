import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import type { PaginationParameters } from '#core/contract.ts'
import { currentIsoTime, type Db, type Tx } from '#core/database/database.ts'
import { limitQueryToKeysetPagePlusOneRow } from '#core/database/keyset.ts'
import { transaction } from '#core/database/transaction.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { HttpError } from '#core/http/errors.ts'
import { toPagedResponse } from '#core/http/pagination.ts'
import { buildVisibleOrFormerAuthorRowsQuery, toPersonFromRow } from '#features/people/read.ts'
import type { MemberViewerContext } from '#features/people/visibility.ts'
import { broadcastReadMarkSharingChange } from './broadcasts.ts'
import { listConversationMemberIds, requireReadableMessage } from './read.ts'
import { buildSharesReadMarksCondition, sharesReadMarks } from './read-mark-conditions.ts'
import type { readMarkEndpoints } from './read-mark-contract.ts'

// Members choose whether they show others what they have read. The choice works both ways: a member who does
// not show it cannot see what others have read. The database stores the read marks of such a member too, so
// that the marks are up to date when the member shows them again.

/**
 * Returns the ids of the members of a conversation who may see the read mark of `user`: all members who show
 * their own read marks. Returns an empty list if `user` hides their read mark, and undefined (no limit) if
 * all members of the conversation show their read marks.
 */
export async function listAllowedViewerIdsOfReadMark(db: Db, conversation: number, user: number) {
  const hidden = await db
    .selectFrom('hidden_read_marks as h')
    .innerJoin('conversation_members as m', 'm.user_id', 'h.user_id')
    .select('h.user_id')
    .where('m.conversation_id', '=', conversation)
    .execute()
  if (!hidden.length) return undefined
  const hiddenIds = new Set(hidden.map(({ user_id }) => user_id))
  if (hiddenIds.has(user)) return []
  return (await listConversationMemberIds(db, conversation)).filter((id) => !hiddenIds.has(id))
}

/**
 * Stores whether the current member shows others what they have read, and broadcasts the choice to all
 * conversations of the member.
 */
async function setReadMarkSharing(context: MemberContext, is_shared: boolean) {
  const user_id = context.me.id
  await transaction(context.db, async (tx) => {
    if (is_shared === (await sharesReadMarks(tx, user_id))) return
    await (is_shared
      ? tx.deleteFrom('hidden_read_marks').where('user_id', '=', user_id).execute()
      : tx
          .insertInto('hidden_read_marks')
          .values({ user_id, created_at: currentIsoTime() })
          .onConflict((conflict) => conflict.doNothing())
          .execute())
    const conversations = await listConversationsOf(tx, user_id)
    tx.afterCommit(() => broadcastReadMarkSharingChange(context, conversations, { user_id, is_shared }))
  })
  return { is_shared }
}

const listConversationsOf = (tx: Tx, user: number) =>
  tx
    .selectFrom('conversation_members as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .select(['c.id', 'c.pair'])
    .where('m.user_id', '=', user)
    .execute()

/**
 * Lists a page of the members who have read a message (if `hasRead` is true), or of the members of its
 * conversation who have not read it, ordered by id. Leaves out the viewer, the author, and members who do not
 * show others what they have read. Throws 403 if the viewer does not show others what they have read, and 404
 * if the viewer may not read the message.
 */
async function listReaders(
  viewer: MemberViewerContext,
  id: number,
  page: PaginationParameters,
  hasRead: boolean,
) {
  const { conversation_id, user_id } = await requireReadableMessage(viewer, id)
  if (!(await sharesReadMarks(viewer.db, viewer.me.id))) throw createNotSharedError()
  const found = viewer.db
    .selectFrom('conversation_members as m')
    .innerJoin(buildVisibleOrFormerAuthorRowsQuery(viewer).as('u'), 'u.id', 'm.user_id')
    .select(['u.id', 'u.name', 'u.image', 'u.shared_handle', 'u.former_since'])
    .where('m.conversation_id', '=', conversation_id)
    .where('m.user_id', 'not in', [viewer.me.id, user_id])
    .where('m.furthest_read_id', hasRead ? '>=' : '<', id)
    .where(buildSharesReadMarksCondition(sql.ref('m.user_id')))
  const rows = await limitQueryToKeysetPagePlusOneRow(found, 'm.user_id', page).execute()
  return toPagedResponse(
    rows,
    page.limit,
    (last) => ({ after: last.id }),
    (shown) => shown.map((row) => toPersonFromRow(viewer.media, row)),
  )
}

const createNotSharedError = () =>
  new HttpError(403, {
    en: 'You do not show others what you have read, so you do not see what they have read.',
    ja: '既読を相手に見せない設定のため、ほかの人の既読も表示されません。',
  })

export const readMarkEndpointHandlers: EndpointHandlers<typeof readMarkEndpoints> = {
  seenBy: ({ input: { id, ...page }, ...context }) => listReaders(context, id, page, true),
  notSeenBy: ({ input: { id, ...page }, ...context }) => listReaders(context, id, page, false),
  sharing: async ({ db, me }) => ({ is_shared: await sharesReadMarks(db, me.id) }),
  setSharing: (context) => setReadMarkSharing(context, context.input.is_shared),
}
