import { sql } from 'kysely'
import type { Person } from '#features/people/contract.ts'
import { toPersonFromRow } from '#features/people/read.ts'
import type { MemberViewerContext } from '#features/people/visibility.ts'
import { buildMessagesWithAuthorsQuery } from './read.ts'
import { filterVisibleMessageIds } from './read-for-reactions.ts'

/** A chat message that another person wrote and that the viewer may read. */
export interface ChatMessageByOtherPerson {
  id: number
  created_at: string
  from: Person
  /** The group in which the message was sent; null for a message of a private chat. */
  group: { id: number; name: string } | null
  /** The beginning of the message's text; empty if the viewer has muted the author. */
  text: string
  is_read: boolean
  /** Whether the viewer has muted the author of the message. */
  is_muted: boolean
}

/**
 * The maximum number of conversations from which `listPageOfChatMessagesByOtherPeople` reads messages. If
 * there are more, it reads from those with the newest messages.
 */
const MAX_CONVERSATIONS = 100
/** The maximum number of characters (code points) of the text of a `ChatMessageByOtherPerson`. */
const MAX_TEXT = 200

interface ReceivedMessagePage {
  /**
   * The id of a message: the page contains only messages with smaller ids. If it is absent, the page begins
   * with the newest message.
   */
  before?: number | undefined
  /** A time: the page contains only messages that are newer. */
  since: string
  limit: number
}

/**
 * Lists the newest messages of other people in the conversations of the viewer, newest first, at most
 * `limit`. `hasMore` says whether there are older ones. `oldest` is the id of the last message on this page;
 * the rows may leave that message out because the viewer may not see it.
 */
export async function listPageOfChatMessagesByOtherPeople(
  viewer: MemberViewerContext,
  page: ReceivedMessagePage,
) {
  const conversations = await listActiveConversationIds(viewer, page.since)
  const ids = await listNewestMessageIds(viewer, conversations, page)
  const shown = ids.slice(0, page.limit)
  const rows = await readReceivedMessages(viewer, shown)
  return { rows, oldest: shown.at(-1), hasMore: ids.length > page.limit }
}

/**
 * Reads one message that another person wrote. Returns undefined if the viewer may not see the message, or
 * wrote it.
 */
export const readChatMessageByOtherPerson = async (viewer: MemberViewerContext, id: number) =>
  (await readReceivedMessages(viewer, [id]))[0]

/**
 * Lists the ids of the viewer's conversations that have messages newer than the time `since`, the one with
 * the newest message first.
 */
async function listActiveConversationIds({ db, me }: MemberViewerContext, since: string) {
  const { rows } = await sql<{ id: number }>`
    select id from (select m.conversation_id as id,
        (select x.id from messages x where x.conversation_id = m.conversation_id order by x.id + 0 desc limit 1)
          as newest
      from conversation_members m where m.user_id = ${me.id}) mine
    where newest is not null and (select created_at from messages where messages.id = newest) > ${since}
    order by newest desc limit ${MAX_CONVERSATIONS}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Returns the ids of the newest messages of other people in these conversations, at most one more than
 * `limit`. The query reads at most that number from each conversation, through the index on its messages.
 */
async function listNewestMessageIds(
  { db, me }: MemberViewerContext,
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

/** Reads those messages with these ids that the viewer may see and did not write, newest first. */
async function readReceivedMessages(
  viewer: MemberViewerContext,
  ids: readonly number[],
): Promise<ChatMessageByOtherPerson[]> {
  const visible = await filterVisibleMessageIds(viewer, ids)
  if (!visible.length) return []
  const rows = await buildMessagesWithAuthorsQuery(viewer)
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
    text: row.is_muted === null ? [...row.body].slice(0, MAX_TEXT).join('') : '',
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

/**
 * Converts the author columns of a row to a person. Uses no other column of the row, because the others
 * contain the text of the message.
 */
const toAuthor = (
  { media }: MemberViewerContext,
  { user_id, name, image, shared_handle, former_since }: AuthorRow,
) => toPersonFromRow(media, { id: user_id, name, image, shared_handle, former_since })
