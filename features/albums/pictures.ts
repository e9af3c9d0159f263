import { sql } from 'kysely'
import type { AppContext, CurrentUser, MemberContext } from '#core/context.ts'
import { hasMatchingRow } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { paged } from '#core/http/pagination.ts'
import type { MediaGuards } from '#core/media/guards.ts'
import type { MediaService } from '#core/media/media.ts'
import type { PageParams } from '#core/schemas.ts'
import * as people from '#features/people/read.ts'
import type { ViewerContext } from '#features/people/visibility.ts'
import { toImage } from '#features/posts/read-images.ts'
import type { AlbumAuthor, AlbumPicture } from './contract.ts'
import * as read from './read.ts'
import { GUARD } from './tables.ts'

const columns = [
  ...read.imageColumns,
  'p.taken_at',
  'p.created_at',
  'u.id as user_id',
  'u.name as user_name',
  'u.image as user_image',
  'u.shared_handle',
] as const

const rows = (viewer: ViewerContext, authors = people.rows(viewer)) =>
  viewer.db
    .selectFrom('album_pictures as p')
    .innerJoin('media as m', 'm.name', 'p.media')
    .innerJoin(authors.as('u'), 'u.id', 'p.user_id')
    .select(columns)
type Row = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number]

function toPicture(media: MediaService, row: Row): AlbumPicture {
  const { taken_at, created_at, user_id, user_name, user_image, shared_handle, ...image } = row
  return {
    id: row.id,
    user: people.fromRow(media, { id: user_id, name: user_name, image: user_image, shared_handle }),
    image: toImage(media, { ...image, alt: null }),
    ...{ taken_at, created_at },
  }
}

interface Chosen extends PageParams {
  id: number
  sort: 'added' | 'taken'
  by?: number | undefined
  /** With `after`: the last picture of the page before. */
  taken?: string | undefined
}

/** 404 if the viewer may not see the album. */
export async function list(viewer: MemberContext, { id, sort, by, taken, ...page }: Chosen) {
  await read.requireAlbum(viewer, id)
  const found = rows(viewer)
    .where('p.album_id', '=', id)
    .where(read.shows(viewer, 'p.user_id'))
    .$if(by !== undefined, (query) => query.where('p.user_id', '=', by!))
  const { limit, after } = page
  const inOrder = found
    .$if(taken !== undefined, (query) =>
      query.where(sql<boolean>`(p.taken_at, p.id) > (${taken!}, ${after ?? 0})`),
    )
    .orderBy('p.taken_at')
    .orderBy('p.id')
    .limit(limit + 1)
  const listed = await (sort === 'taken' ? inOrder : pageOf(found, 'p.id', page, 'desc')).execute()
  return paged<Row, AlbumPicture[]>(
    listed,
    limit,
    (last) => (sort === 'taken' ? { taken: last.taken_at, after: last.id } : { before: last.id }),
    (shown) => shown.map((row) => toPicture(viewer.media, row)),
  )
}

/** Who has added pictures, by id. 404 if the viewer may not see the album. */
export async function listAuthors(viewer: MemberContext, { id, ...page }: PageParams & { id: number }) {
  await read.requireAlbum(viewer, id)
  const sums = viewer.db
    .selectFrom('album_pictures as p')
    .select(({ fn }) => ['p.user_id', fn.countAll().as('count')])
    .where('p.album_id', '=', id)
    .where(read.shows(viewer, 'p.user_id'))
    .groupBy('p.user_id')
  const found = viewer.db
    .selectFrom(sums.as('s'))
    .innerJoin(people.rows(viewer).as('u'), 'u.id', 's.user_id')
    .select(['u.id', 'u.name', 'u.image', 'u.shared_handle', 's.count'])
  const listed = await pageOf(found, 's.user_id', page).execute()
  return paged(
    listed,
    page.limit,
    (last) => ({ after: last.id }),
    (shown) =>
      shown.map(
        ({ count, ...row }): AlbumAuthor => ({
          user: people.fromRow(viewer.media, row),
          pictures_count: Number(count),
        }),
      ),
  )
}

/** For a broadcast, which leaves out the viewers who may not see the person. */
export async function getForAll(context: AppContext, id: number) {
  const viewer = { ...context, me: null }
  const row = await rows(viewer, people.unfiltered(viewer)).where('p.id', '=', id).executeTakeFirstOrThrow()
  return toPicture(context.media, row)
}

/** Those of the hashes that the album has, as far as the viewer sees its pictures. */
export async function known(viewer: MemberContext, id: number, hashes: readonly string[]) {
  await read.requireAlbum(viewer, id)
  if (!hashes.length) return []
  const found = await sameBytes(viewer, id, hashes).execute()
  return [...new Set(found.map(({ hash }) => hash))]
}

const sameBytes = (viewer: MemberContext, album: number, hashes: readonly string[]) =>
  viewer.db
    .selectFrom('album_pictures as p')
    .select(['p.id', 'p.hash'])
    .where('p.album_id', '=', album)
    .where('p.hash', 'in', hashes)
    .where(read.shows(viewer, 'p.user_id'))

/** With the same bytes; undefined without one that the viewer sees. */
export const findSame = (viewer: MemberContext, album: number, hash: string) =>
  sameBytes(viewer, album, [hash]).orderBy('p.id').limit(1).executeTakeFirst()

/** Members who see the album and may see who added the picture. */
export const guards = (context: AppContext): MediaGuards => ({
  [GUARD]: (me, name) => maySeePicture({ ...context, me }, name),
})

const maySeePicture = (viewer: AppContext & { me: CurrentUser }, name: string) =>
  hasMatchingRow(
    read
      .visible(viewer)
      .innerJoin('album_pictures as p', 'p.album_id', 'a.id')
      .innerJoin(people.rows(viewer).as('u'), 'u.id', 'p.user_id')
      .select('p.id')
      .where('p.media', '=', name),
  )
