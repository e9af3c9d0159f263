import { type SqlBool, sql } from 'kysely'
import { likePattern } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import { foldNameForSearch, foldReading } from '#core/text/fold-names.ts'
import { sortKey } from '#core/text/readings.ts'
import { shorten } from '#core/text/shorten.ts'
import { waitsFor } from './apart.ts'
import type { ListedUser } from './contract.ts'
import * as persons from './read.ts'
import type { MemberViewer, ViewerContext } from './visibility.ts'
import * as visibility from './visibility.ts'

/** In code points. */
const MAX_LISTED_BIO = 160

/** Other features add joins. */
export const query = (viewer: ViewerContext) =>
  visibility
    .members(viewer)
    .select([
      'users.id',
      'users.name',
      'users.reading',
      'users.handle',
      'users.image',
      'users.shared_handle',
      sql<string | null>`substr(bio, 1, ${sql.lit(MAX_LISTED_BIO + 1)})`.as('bio'),
      waitsFor(viewer, 'users.id').as('waits'),
    ])

interface ListParams extends PageParams {
  q: string | null
  order?: 'id' | 'name'
  after_name?: string | null
}

/** Includes the viewer. `q`: see `nameContains`; null lists all. `condition` is about `users`. */
export async function page(
  viewer: ViewerContext,
  { q, order = 'id', ...page }: ListParams,
  condition = sql<SqlBool>`true`,
) {
  const found = query(viewer)
    .where(condition)
    .$if(q !== null, (found) => found.where(nameContains(q!)))
  if (order === 'id') return toPage(viewer, await pageOf(found, 'users.id', page).execute(), page)
  return toPage(viewer, await pageByName(viewer, found, page), page, ({ id, name, reading }) => ({
    after: id,
    after_name: reading ?? name,
  }))
}

/**
 * The cursors are ids too. Without `after_name`, nothing if the viewer may not (or no longer) see the person.
 */
async function pageByName(
  viewer: ViewerContext,
  found: ReturnType<typeof query>,
  { before, after, after_name, limit }: Omit<ListParams, 'q' | 'order'>,
) {
  const place = async (id: number) => {
    const row = await visibility.members(viewer).select('sort_key').where('id', '=', id).executeTakeFirst()
    return row && sql`(${row.sort_key}, ${id})`
  }
  const [start, end] = await Promise.all([
    after && (after_name ? sql`(${sortKey(after_name)}, ${after})` : place(after)),
    before && place(before),
  ])
  if ((after && !start) || (before && !end)) return []
  return found
    .$if(Boolean(start), (rows) => rows.where(sql<boolean>`(sort_key, users.id) > ${start}`))
    .$if(Boolean(end), (rows) => rows.where(sql<boolean>`(sort_key, users.id) < ${end}`))
    .orderBy('sort_key')
    .orderBy('users.id')
    .limit(limit + 1)
    .execute()
}

export async function followed(viewer: MemberViewer, page: PageParams) {
  const found = query(viewer)
    .innerJoin('follows', 'follows.followed_id', 'users.id')
    .where('follows.follower_id', '=', viewer.me.id)
  const rows = await pageOf(found, 'follows.followed_id', page).execute()
  return toPage(viewer, rows, page)
}

/**
 * `followed_id` lists the followers, `follower_id` the followed. 404 if the viewer may not see the person.
 */
export async function follows(
  viewer: MemberViewer,
  column: 'follower_id' | 'followed_id',
  { id, ...page }: PageParams & { id: number },
) {
  await persons.get(viewer, id)
  const other = column === 'follower_id' ? 'followed_id' : 'follower_id'
  const found = query(viewer)
    .innerJoin('follows', `follows.${other}`, 'users.id')
    .where(`follows.${column}`, '=', id)
  return toPage(viewer, await pageOf(found, `follows.${other}`, page).execute(), page)
}

/** The name contains the text, or the reading does, for which spaces do not count. */
export const nameContains = (text: string) => {
  const [name, reading] = [foldNameForSearch(text), foldReading(text)]
  const inName = sql<boolean>`name_key like ${likePattern(name)} escape '\\'`
  // 佐藤 みどり is written 佐藤みどり too.
  const inWhole = sql<boolean>`replace(name_key, ' ', '') like ${likePattern(name.replaceAll(' ', ''))} escape '\\'`
  const found = sql<boolean>`(${inName} or ${inWhole})`
  return reading ? sql<boolean>`(${found} or reading_key like ${likePattern(reading)} escape '\\')` : found
}

type Row = Awaited<ReturnType<ReturnType<typeof query>['execute']>>[number]

export const toPage = (
  { media }: ViewerContext,
  rows: Row[],
  { limit }: Pick<PageParams, 'limit'>,
  next: (last: Row) => Record<string, number | string> = ({ id }) => ({ after: id }),
) =>
  paged(rows, limit, next, (shown): ListedUser[] =>
    shown.map(({ waits, ...row }) => ({
      ...persons.withNameFlag(media, { ...row, bio: row.bio && shorten(row.bio, MAX_LISTED_BIO) }),
      ...(waits && { waits: true as const }),
    })),
  )
