import { type SqlBool, sql } from 'kysely'
import { type AppContext, type MemberContext, withoutRoles } from '#core/context.ts'
import { type Db, hasMatchingRow, idIn } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { HttpError } from '#core/http/errors.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import { notApart } from '#features/people/apart.ts'
import type { Person } from '#features/people/contract.ts'
import * as people from '#features/people/read.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import * as visibility from '#features/people/visibility.ts'
import { toImage } from '#features/posts/read-images.ts'
import type { Album } from './contract.ts'

const notFound = () =>
  new HttpError(404, { en: 'There is no such album.', ja: 'そのアルバムは見つかりません。' })

const ownGroups = ({ groups, me }: MemberViewer) =>
  sql<{ id: number; name: string; is_owner: boolean }>`(${groups.groupsOf(me.id)})`

/** Those of all members, and of the viewer's groups. */
export const visible = (viewer: MemberViewer) =>
  viewer.db
    .selectFrom('albums as a')
    .leftJoin(ownGroups(viewer).as('g'), 'g.id', 'a.group_id')
    .where(({ or, eb }) => or([eb('a.group_id', 'is', null), eb('g.id', 'is not', null)]))

const rows = (viewer: MemberViewer) =>
  visible(viewer).select([
    'a.id',
    'a.title',
    'a.text',
    'a.group_id',
    'a.created_by',
    'a.created_at',
    'g.name',
    'g.is_owner',
  ])
export type AlbumRow = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number]

export const isOwn = ({ created_by, is_owner }: Pick<AlbumRow, 'created_by' | 'is_owner'>, me: number) =>
  created_by === me || Boolean(is_owner)

/** Undefined if the viewer may not see it. */
export const findAlbum = (viewer: MemberViewer, id: number) =>
  rows(viewer).where('a.id', '=', id).executeTakeFirst()

/** 404 if the viewer may not see it. */
export async function requireAlbum(viewer: MemberViewer, id: number) {
  const row = await findAlbum(viewer, id)
  if (!row) throw notFound()
  return row
}

/** Newest first. */
export async function list(
  viewer: MemberContext,
  { group_id, ...page }: PageParams & { group_id?: number | undefined },
) {
  const found = rows(viewer).$if(group_id !== undefined, (query) => query.where('a.group_id', '=', group_id!))
  const listed = await pageOf(found, 'a.id', page, 'desc').execute()
  const albums = await toAlbums(viewer, listed.slice(0, page.limit))
  return paged(
    listed,
    page.limit,
    (last) => ({ before: last.id }),
    () => albums,
  )
}

export async function get(viewer: MemberContext, id: number): Promise<Album> {
  const [album] = await toAlbums(viewer, [await requireAlbum(viewer, id)])
  return album!
}

async function toAlbums(viewer: MemberContext, listed: readonly AlbumRow[]): Promise<Album[]> {
  const [sums, creators] = await Promise.all([
    readSums(
      viewer,
      listed.map(({ id }) => id),
    ),
    listPeople(
      viewer,
      listed.flatMap(({ created_by }) => created_by ?? []),
    ),
  ])
  const covers = await readImages(
    viewer,
    [...sums.values()].map(({ newest }) => newest),
  )
  return listed.map((row) => {
    const { id, title, text, group_id, created_by, created_at, name } = row
    const { count = 0, newest = 0 } = sums.get(id) ?? {}
    return {
      ...{ id, title, created_at },
      text: created_by === null || creators.has(created_by) ? text : null,
      group: group_id === null ? null : { id: group_id, name: name ?? '' },
      created_by: creators.get(created_by ?? 0) ?? null,
      pictures_count: count,
      cover: covers.get(newest) ?? null,
      manages: viewer.me.is_admin || isOwn(row, viewer.me.id),
    }
  })
}

/** Whose pictures the viewer gets. `person` is a column. */
export const shows = (viewer: MemberViewer, person: string) =>
  sql<SqlBool>`(${visibility.canSee(viewer, person)} and ${notApart(viewer, person)})`

async function readSums(viewer: MemberViewer, albums: readonly number[]) {
  if (!albums.length) return new Map<number, { count: number; newest: number }>()
  const found = await viewer.db
    .selectFrom('album_pictures as p')
    .select(({ fn }) => ['p.album_id', fn.countAll().as('count'), fn.max('p.id').as('newest')])
    .where(idIn(viewer.db, 'p.album_id', albums))
    .where(shows(viewer, 'p.user_id'))
    .groupBy('p.album_id')
    .execute()
  return new Map(found.map((row) => [row.album_id, { count: Number(row.count), newest: Number(row.newest) }]))
}

async function readImages({ db, media }: MemberViewer, pictures: readonly number[]) {
  if (!pictures.length) return new Map<number, Album['cover']>()
  const found = await db
    .selectFrom('album_pictures as p')
    .innerJoin('media as m', 'm.name', 'p.media')
    .select(imageColumns)
    .where(idIn(db, 'p.id', pictures))
    .execute()
  return new Map(found.map((row) => [row.id, toImage(media, { ...row, alt: null })]))
}

export const imageColumns = [
  'p.id',
  'm.name',
  'm.widths',
  'm.width',
  'm.height',
  'm.placeholder',
  'm.animated',
] as const

async function listPeople(viewer: MemberViewer, ids: readonly number[]) {
  if (!ids.length) return new Map<number, Person>()
  const found = await people
    .rows(viewer)
    .where(idIn(viewer.db, 'id', ids))
    .execute()
  return new Map(found.map((row) => [row.id, people.fromRow(viewer.media, row)]))
}

/** Whether a member without a request sees it. */
export const maySee = (context: AppContext, me: number, album: number) =>
  hasMatchingRow(visible(withoutRoles(context, me)).select('a.id').where('a.id', '=', album))

/** Whether the group has albums. Checks no rights. */
export const hasOfGroup = (db: Db, group: number) =>
  hasMatchingRow(db.selectFrom('albums').select('id').where('group_id', '=', group).limit(1))
