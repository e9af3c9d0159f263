import { sql } from 'kysely'
import type { Db } from '#core/database/database.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import { shorten } from '#core/text/shorten.ts'
import * as listed from '#features/people/listed.ts'
import * as people from '#features/people/read.ts'
import { allFollowed } from '#features/people/read-follows.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import * as visibility from '#features/people/visibility.ts'
import * as attached from './attachments.ts'
import type { LastMessage, ListedChat, ListedGroup } from './contract.ts'
import * as chats from './read.ts'
import { pictureField, toPerson } from './rows.ts'

const MAX_GROUPS = 1000

/**
 * Newest message that the viewer may see in the conversation of the membership `m`; an index usually finds it
 * at once. `condition` is about the author.
 */
const newestMessage = <T>(viewer: MemberViewer, column: 'id' | 'created_at', condition = sql`true`) =>
  sql<T | null>`(select ${sql.ref(column)} from messages
    where conversation_id = m.conversation_id and ${visibility.canSee(viewer, 'messages.user_id')}
      and ${condition}
    order by id + 0 desc limit 1)`

/** Ignores people whom the viewer has muted. */
const newestGroupMessage = <T>(viewer: MemberViewer, column: 'id' | 'created_at') =>
  newestMessage<T>(viewer, column, visibility.notMuted(viewer, 'messages.user_id'))

/** Newest message first. `before` is a message id: only chats whose newest message is older. */
export async function listPrivate(viewer: MemberViewer, { before, limit }: PageParams) {
  const newestId = newestMessage<number>(viewer, 'id')
  const found = await viewer.db
    .selectFrom('conversation_members as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .innerJoin('conversation_members as o', (join) =>
      join.onRef('o.conversation_id', '=', 'm.conversation_id').onRef('o.user_id', '!=', 'm.user_id'),
    )
    .innerJoin(people.authors(viewer).as('u'), 'u.id', 'o.user_id')
    .leftJoin(allFollowed(viewer).as('f'), 'f.followed_id', 'u.id')
    .select(['u.id', 'u.name', 'u.image', 'u.shared_handle', 'u.former_since'])
    .select(['f.followed_id', newestId.as('newest')])
    .where('m.user_id', '=', viewer.me.id)
    .where('c.pair', 'is not', null)
    .where((q) =>
      q.or([
        q('f.followed_id', 'is not', null),
        q('m.first_received_at', 'is not', null),
        q('u.former_since', 'is not', null),
      ]),
    )
    .$if(before !== undefined, (q) => q.where(newestId, '<', before!))
    .orderBy('newest', (order) => order.desc().nullsLast())
    .limit(limit + 1)
    .execute()
  // Chats whose messages were all removed are at the end.
  const rows = found.filter(({ newest }) => newest !== null)
  const messages = await readLastMessages(viewer, rows.slice(0, limit))
  return paged(
    rows,
    limit,
    (last) => ({ before: last.newest! }),
    (shown) =>
      shown.map(
        ({ newest, followed_id, ...user }): ListedChat => ({
          user: people.fromRow(viewer.media, user),
          followed: followed_id !== null,
          last_message: messages.get(newest) ?? null,
        }),
      ),
  )
}

/** Newest first, by the newest message or the time when the viewer was added, whichever is later. */
export async function listGroups(viewer: MemberViewer): Promise<ListedGroup[]> {
  const found = viewer.db
    .selectFrom('conversation_members as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .leftJoin(people.rows(viewer).as('by'), 'by.id', 'm.added_by')
    .select(['c.id', 'c.name', 'c.picture', 'c.ended_at', 'm.created_at as added_at'])
    .select([
      newestGroupMessage<number>(viewer, 'id').as('newest'),
      newestGroupMessage<string>(viewer, 'created_at').as('newest_at'),
    ])
    .select(['by.id as by_id', 'by.name as by_name', 'by.image as by_image'])
    .select('by.shared_handle as by_handle')
    .select((q) =>
      q
        .selectFrom('conversation_members as all')
        .innerJoin(people.rows(viewer).as('one'), 'one.id', 'all.user_id')
        .select(sql<number>`count(*)`.as('count'))
        .whereRef('all.conversation_id', '=', 'm.conversation_id')
        .as('members_count'),
    )
    .where('m.user_id', '=', viewer.me.id)
    .where('c.name', 'is not', null)
  const rows = await viewer.db
    .selectFrom(found.as('g'))
    .selectAll()
    .orderBy(sql`case when newest_at > added_at then newest_at else added_at end`, 'desc')
    .orderBy(sql`coalesce(newest, 0)`, 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_GROUPS)
    .execute()
  const messages = await readLastMessages(viewer, rows)
  return rows.map(({ id, name, picture, ended_at, newest, members_count, added_at, ...by }) => ({
    id,
    name: name!,
    ...pictureField(viewer.media, picture),
    members_count: Number(members_count),
    ...(ended_at !== null && { has_ended: true as const }),
    last_message: messages.get(newest) ?? null,
    added_by: toPerson(viewer.media, by.by_id, by.by_name, by.by_image, by.by_handle),
    added_at,
  }))
}

/** The other members of the viewer's groups, by id. */
export const listGroupmates = (viewer: MemberViewer, input: PageParams & { q: string | null }) =>
  listed.page(
    viewer,
    input,
    sql`users.id <> ${viewer.me.id} and users.id in (select theirs.user_id from conversation_members mine
      join conversations c on c.id = mine.conversation_id and c.name is not null
      join conversation_members theirs on theirs.conversation_id = c.id
      where mine.user_id = ${viewer.me.id})`,
  )

/** In code points. */
const MAX_LAST_MESSAGE = 160

/** By message id, for the ids in `newest`. */
async function readLastMessages(viewer: MemberViewer, rows: readonly { newest: number | null }[]) {
  const ids = rows.flatMap(({ newest }) => newest ?? [])
  if (!ids.length) return new Map<number | null, LastMessage>()
  const found = await viewer.db
    .selectFrom('messages as m')
    .innerJoin(people.authors(viewer).as('u'), 'u.id', 'm.user_id')
    .select(['m.id', 'm.user_id', 'u.name', 'm.created_at', 'm.deleted_at', 'm.hidden_at'])
    .select(sql<string>`substr(m.body, 1, ${sql.lit(MAX_LAST_MESSAGE + 1)})`.as('message'))
    .select(attached.countColumns)
    .where('m.id', 'in', ids)
    .execute()
  return new Map<number | null, LastMessage>(
    found.map(({ hidden_at, images_count, files_count, voices_count, videos_count, ...row }) => [
      row.id,
      hidden_at === null || row.user_id === viewer.me.id
        ? {
            ...row,
            message: shorten(row.message, MAX_LAST_MESSAGE, ''),
            ...attached.toCounts({ images_count, files_count, voices_count, videos_count }),
          }
        : { ...row, message: '', images_count: 0, deleted_at: hidden_at },
    ]),
  )
}

/** While very many members are online. */
const MAX_PRESENCE_PEERS = 200

/** The people of the member's newest private chats. */
export async function listPeers(db: Db, member: number) {
  const { rows } = await sql<{ pair: string }>`select c.pair from conversation_members m
    join conversations c on c.id = m.conversation_id
    where m.user_id = ${member} and c.pair is not null
    order by m.conversation_id desc limit ${MAX_PRESENCE_PEERS}`.execute(db)
  return rows.map(({ pair }) => chats.otherOf(pair, member))
}
