import { sql } from 'kysely'
import { type Db, idIn } from '#core/database/database.ts'
import { pairOf } from '#features/conversations/read.ts'
import * as people from '#features/people/read.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import * as visibility from '#features/people/visibility.ts'
import type { SearchedText, Watched } from '#features/posts/searched.ts'
import { files } from '#features/posts/searched.ts'
import { visibleMessageIds } from './subjects.ts'

// What a search index holds of messages. Nothing here checks who may see it, unless it takes a viewer.

export const watched: readonly Watched[] = [
  { table: 'messages', id: 'ROW.id', columns: ['body', 'deleted_at'] },
  { table: 'message_attachments', id: 'ROW.message_id', columns: ['alt'] },
]

/** In no particular order, without those that do not exist or are deleted. */
export async function texts(db: Db, ids: readonly number[]): Promise<SearchedText[]> {
  const { rows } = await sql<SearchedText>`select id, user_id, body, created_at, conversation_id as place
    from messages where ${idIn(db, 'id', ids)} and deleted_at is null`.execute(db)
  return rows
}

export const messageFiles = (db: Db, ids: readonly number[]) =>
  files(db, { table: 'message_attachments', column: 'message_id' }, ids)

/** Those that the viewer reads now: `visibleMessageIds`, without notes in place of messages of muted people. */
export async function visibleIds(viewer: MemberViewer, ids: readonly number[]) {
  // Most hits of a frequent word are in chats of others: this is quicker than the rules.
  const { rows: inChats } = await sql<{
    id: number
  }>`select id from messages where ${idIn(viewer.db, 'id', ids)}
    and conversation_id in
      (select conversation_id from conversation_members where user_id = ${viewer.me.id})`.execute(viewer.db)
  const visible = await visibleMessageIds(
    viewer,
    inChats.map(({ id }) => id),
  )
  if (!visible.length) return []
  const { rows } = await sql<{ id: number }>`select m.id from messages m
    join conversations c on c.id = m.conversation_id
    where ${idIn(viewer.db, 'm.id', visible)}
      and (c.pair is not null or ${visibility.notMuted(viewer, 'm.user_id')})`.execute(viewer.db)
  return rows.map(({ id }) => id)
}

/** A private chat has the `other` person, whom the viewer may see; a group has a `name`. */
export interface Place {
  id: number
  name: string | null
  description: string | null
  created_at: string
  other: { id: number; name: string } | null
}

/** The chats and groups of the viewer, by the newest membership. */
export async function places(viewer: MemberViewer, ids?: readonly number[]): Promise<Place[]> {
  const { rows } = await sql<{
    id: number
    name: string | null
    description: string | null
    created_at: string
    other_id: number | null
    other_name: string | null
  }>`select c.id, c.name, c.description, c.created_at, u.id as other_id, u.name as other_name
    from conversation_members mine
      join conversations c on c.id = mine.conversation_id
      left join conversation_members theirs on theirs.conversation_id = c.id
        and theirs.user_id <> mine.user_id and c.pair is not null
      left join ${people.authors(viewer)} u on u.id = theirs.user_id
    where mine.user_id = ${viewer.me.id}
      and ${ids ? idIn(viewer.db, 'c.id', ids) : sql`true`}
    order by c.id desc`.execute(viewer.db)
  return rows.map(({ other_id, other_name, ...place }) => ({
    ...place,
    other: other_id === null ? null : { id: other_id, name: other_name! },
  }))
}

/** Of all chats and groups of the member. */
export async function placeIds({ db, me }: MemberViewer) {
  const { rows } = await sql<{ id: number }>`select conversation_id as id from conversation_members
    where user_id = ${me.id}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Null before the first message, and if there is no such person. */
export async function privatePlace({ db, me }: MemberViewer, other: number) {
  const { rows } = await sql<{ id: number }>`select id from conversations
    where pair = ${pairOf(me.id, other)}`.execute(db)
  return rows[0]?.id ?? null
}
