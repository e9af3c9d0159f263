import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import { type Db, isoNow, type Tx } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { transaction } from '#core/database/transaction.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import { HttpError } from '#core/http/errors.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import * as people from '#features/people/read.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import * as broadcasts from './broadcasts.ts'
import type { readMarkEndpoints } from './contract.ts'
import * as chats from './read.ts'
import { sharesReadMarks, sharingCondition } from './read-mark-conditions.ts'

// A member who does not show what they have read cannot see what others have read. Their marks are stored
// too, so that they are up to date when shown again.

/** Empty if `user` hides their mark, undefined (no limit) if no member of the conversation does. */
export async function listMarkViewers(db: Db, conversation: number, user: number) {
  const hidden = await db
    .selectFrom('hidden_read_marks as h')
    .innerJoin('conversation_members as m', 'm.user_id', 'h.user_id')
    .select('h.user_id')
    .where('m.conversation_id', '=', conversation)
    .execute()
  if (!hidden.length) return undefined
  const hiddenIds = new Set(hidden.map(({ user_id }) => user_id))
  if (hiddenIds.has(user)) return []
  return (await chats.listMemberIds(db, conversation)).filter((id) => !hiddenIds.has(id))
}

async function setReadMarkSharing(context: MemberContext, is_shared: boolean) {
  const user_id = context.me.id
  await transaction(context.db, async (tx) => {
    if (is_shared === (await sharesReadMarks(tx, user_id))) return
    await (is_shared
      ? tx.deleteFrom('hidden_read_marks').where('user_id', '=', user_id).execute()
      : tx
          .insertInto('hidden_read_marks')
          .values({ user_id, created_at: isoNow() })
          .onConflict((conflict) => conflict.doNothing())
          .execute())
    const conversations = await listConversationsOf(tx, user_id)
    tx.afterCommit(() => broadcasts.sharingChanged(context, conversations, { user_id, is_shared }))
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
 * By id; `hasRead` false: those who have not. 403 if the viewer hides their own read marks, 404 without
 * access.
 */
async function listReaders(viewer: MemberViewer, id: number, page: PageParams, hasRead: boolean) {
  const { conversation_id, user_id } = await chats.requireMessage(viewer, id)
  if (!(await sharesReadMarks(viewer.db, viewer.me.id))) throw createNotSharedError()
  const found = viewer.db
    .selectFrom('conversation_members as m')
    .innerJoin(people.authors(viewer).as('u'), 'u.id', 'm.user_id')
    .select(['u.id', 'u.name', 'u.image', 'u.shared_handle', 'u.former_since'])
    .where('m.conversation_id', '=', conversation_id)
    .where('m.user_id', 'not in', [viewer.me.id, user_id])
    .where('m.furthest_read_id', hasRead ? '>=' : '<', id)
    .where(sharingCondition(sql.ref('m.user_id')))
  const rows = await pageOf(found, 'm.user_id', page).execute()
  return paged(
    rows,
    page.limit,
    (last) => ({ after: last.id }),
    (shown) => shown.map((row) => people.fromRow(viewer.media, row)),
  )
}

const createNotSharedError = () =>
  new HttpError(403, {
    en: 'You do not show others what you have read, so you do not see what they have read.',
    ja: '既読を相手に見せない設定のため、ほかの人の既読も表示されません。',
  })

export const readMarkHandlers: Handlers<typeof readMarkEndpoints> = {
  seenBy: ({ input: { id, ...page }, ...context }) => listReaders(context, id, page, true),
  notSeenBy: ({ input: { id, ...page }, ...context }) => listReaders(context, id, page, false),
  sharing: async ({ db, me }) => ({ is_shared: await sharesReadMarks(db, me.id) }),
  setSharing: (context) => setReadMarkSharing(context, context.input.is_shared),
}
