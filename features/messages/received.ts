import { sql } from 'kysely'
import { shorten } from '#core/text/shorten.ts'
import * as chats from '#features/conversations/read.ts'
import type { Person } from '#features/people/contract.ts'
import * as people from '#features/people/read.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import { visibleMessageIds } from './subjects.ts'

export interface ReceivedMessage {
  id: number
  created_at: string
  from: Person
  /** Null for a message of a private chat. */
  group: { id: number; name: string } | null
  /** Beginning of the text; empty if the viewer has muted the author. */
  text: string
  is_read: boolean
  is_muted: boolean
}

/** If there are more, those with the newest messages count. */
const MAX_CONVERSATIONS = 100
/** In code points. */
const MAX_TEXT = 200

interface ReceivedMessagePage {
  /** A message id: only smaller ones. */
  before?: number | undefined
  /** A time: only newer messages. */
  since: string
  limit: number
}

/**
 * Newest first. `oldest` is the last id of the page, which `rows` leaves out if the viewer may not see it.
 */
export async function listReceived(viewer: MemberViewer, page: ReceivedMessagePage) {
  const conversations = await listActiveIds(viewer, page.since)
  const ids = await listNewestMessageIds(viewer, conversations, page)
  const shown = ids.slice(0, page.limit)
  const rows = await readReceivedMessages(viewer, shown)
  return { rows, oldest: shown.at(-1), hasMore: ids.length > page.limit }
}

/** Undefined if the viewer may not see the message, or wrote it. */
export const findReceived = async (viewer: MemberViewer, id: number) =>
  (await readReceivedMessages(viewer, [id]))[0]

/** Newest message first. */
async function listActiveIds({ db, me }: MemberViewer, since: string) {
  const { rows } = await sql<{ id: number }>`
    select id from (select m.conversation_id as id,
        (select x.id from messages x where x.conversation_id = m.conversation_id order by x.id + 0 desc limit 1)
          as newest
      from conversation_members m where m.user_id = ${me.id}) mine
    where newest is not null and (select created_at from messages where messages.id = newest) > ${since}
    order by newest desc limit ${MAX_CONVERSATIONS}`.execute(db)
  return rows.map(({ id }) => id)
}

/** At most one more than `limit`, and no more from each conversation, through the index on its messages. */
async function listNewestMessageIds(
  { db, me }: MemberViewer,
  conversations: readonly number[],
  { before, since, limit }: ReceivedMessagePage,
) {
  if (!conversations.length) return []
  const older = before === undefined ? sql`` : sql`and id + 0 < ${before}`
  const parts = conversations.map(
    (id) => sql`select id from (select id from messages
      where conversation_id = ${id} and user_id != ${me.id} and created_at > ${since} ${older}
      order by id + 0 desc limit ${limit + 1}) newest`,
  )
  const { rows } = await sql<{ id: number }>`
    ${sql.join(parts, sql` union all `)} order by id desc limit ${limit + 1}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Newest first; without the viewer's own. */
async function readReceivedMessages(
  viewer: MemberViewer,
  ids: readonly number[],
): Promise<ReceivedMessage[]> {
  const visible = await visibleMessageIds(viewer, ids)
  if (!visible.length) return []
  const rows = await chats
    .messagesQuery(viewer)
    .innerJoin('conversation_members as mine', 'mine.conversation_id', 'm.conversation_id')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .select(['mine.last_read_id', 'c.name as group_name'])
    .where('m.id', 'in', visible)
    .where('mine.user_id', '=', viewer.me.id)
    .where('m.user_id', '!=', viewer.me.id)
    .orderBy('m.id', 'desc')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    created_at: row.created_at,
    from: toAuthor(viewer, row),
    group: row.group_name === null ? null : { id: row.conversation_id, name: row.group_name },
    text: row.is_muted === null ? shorten(row.body, MAX_TEXT, '') : '',
    is_read: row.last_read_id >= row.id,
    is_muted: row.is_muted !== null,
  }))
}

interface AuthorRow {
  user_id: number
  name: string
  image: string | null
  shared_handle: string | null
  former_since: string | null
}

/** Uses only the author's columns, because the others contain the text of the message. */
const toAuthor = (
  { media }: MemberViewer,
  { user_id, name, image, shared_handle, former_since }: AuthorRow,
) => people.fromRow(media, { id: user_id, name, image, shared_handle, former_since })
