import { type ExpressionBuilder, sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import { type DatabaseTables, isoNow } from '#core/database/database.ts'
import * as people from '#features/people/read.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import * as visibility from '#features/people/visibility.ts'
import { MAX_UNREAD, type UnreadCounts } from './contract.ts'
import * as chats from './read.ts'

/** `ends_at`: when the first of the member's mutes ends, or null. */
interface CachedUnreadCounts {
  counts: UnreadCounts
  ends_at: string | null
}

/**
 * Every page needs them. A mute ends without a table change, so the next cache key has the time of its end.
 */
export function cachedUnread({ queryCaches }: Pick<AppContext, 'queryCaches'>) {
  const results = queryCaches<CachedUnreadCounts>(
    [...visibility.tables, 'conversation_members', 'conversations', 'messages'],
    5000,
  )
  async function read(viewer: MemberViewer): Promise<CachedUnreadCounts> {
    const counts = await getUnread(viewer)
    const { private: ofChats = {}, groups = {} } = counts.muted ?? {}
    const [ends_at = null] = [...Object.values(ofChats), ...Object.values(groups)].toSorted()
    return { counts, ends_at }
  }
  return async (viewer: MemberViewer) => {
    for (let key = String(viewer.me.id); ; ) {
      const { counts, ends_at } = await results(key, () => read(viewer))
      if (ends_at === null || ends_at > isoNow()) return counts
      key = `${viewer.me.id} ${ends_at}`
    }
  }
}

/** Only conversations that have unread messages; also the viewer's mutes with their ends. */
export async function getUnread(viewer: MemberViewer): Promise<UnreadCounts> {
  const { db, me } = viewer
  const rows = await db
    .selectFrom('conversation_members as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .select(
      (q) => ['c.id', 'c.pair', 'm.unopened_since', unreadCountExpression(viewer, q).as('messages')] as const,
    )
    .select(sql<string | null>`case when m.muted_until > ${isoNow()} then m.muted_until end`.as('muted'))
    .where('m.user_id', '=', me.id)
    .execute()
  const all: UnreadCounts = { private: {}, groups: {} }
  const muted: UnreadCounts['muted'] = { private: {}, groups: {} }
  for (const { id, pair, ...row } of rows) {
    const kind = pair === null ? 'groups' : 'private'
    const key = pair === null ? id : chats.otherOf(pair, me.id)
    const count = countWithNewGroup(row)
    if (count) all[kind][key] = count
    if (row.muted !== null) muted[kind][key] = row.muted
  }
  return rows.some((row) => row.muted !== null) ? { ...all, muted } : all
}

export async function countUnread(viewer: MemberViewer, conversation: number) {
  const row = await viewer.db
    .selectFrom('conversation_members as m')
    .select((q) => ['m.unopened_since', unreadCountExpression(viewer, q).as('messages')] as const)
    .where('m.conversation_id', '=', conversation)
    .where('m.user_id', '=', viewer.me.id)
    .executeTakeFirst()
  return row ? countWithNewGroup(row) : 0
}

/** One more for a group not opened yet: the line that says who added the member counts as a message. */
const countWithNewGroup = ({
  messages,
  unopened_since,
}: {
  messages: number | null
  unopened_since: string | null
}) => Math.min(Number(messages) + (unopened_since === null ? 0 : 1), MAX_UNREAD)

/**
 * After the read mark of the membership `m`, by others whom the viewer may see and has not muted, except
 * deleted and hidden ones. Stops at the maximum, so that no more index entries are read.
 */
const unreadCountExpression = (
  viewer: MemberViewer,
  q: ExpressionBuilder<DatabaseTables & { m: DatabaseTables['conversation_members'] }, 'm'>,
) =>
  q
    .selectFrom((nested) =>
      nested
        .selectFrom('messages as x')
        .innerJoin(people.authors(viewer).as('author'), 'author.id', 'x.user_id')
        .select('x.id')
        .whereRef('x.conversation_id', '=', 'm.conversation_id')
        .where(sql<boolean>`x.id + 0 > m.last_read_id + 0`)
        .whereRef('x.user_id', '!=', 'm.user_id')
        .where(visibility.notMuted(viewer, 'x.user_id'))
        .where('x.deleted_at', 'is', null)
        .where('x.hidden_at', 'is', null)
        .orderBy(sql`x.id + 0`)
        .limit(MAX_UNREAD)
        .as('unread'),
    )
    .select(sql<number>`count(*)`.as('count'))
