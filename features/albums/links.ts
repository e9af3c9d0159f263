import { createHash, randomBytes } from 'node:crypto'
import { type AppContext, type MemberContext, withoutRoles } from '#core/context.ts'
import { isoNow } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError } from '#core/http/errors.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import * as people from '#features/people/read.ts'
import type { SessionContext } from '#features/people/session-confirmation.ts'
import * as visibility from '#features/people/visibility.ts'
import type { AlbumLink } from './contract.ts'
import { MAX_LINKS } from './contract.ts'
import * as model from './model.ts'
import * as read from './read.ts'

// A link shows an album to people without an account: as its maker sees it, without names. Only the hash of its
// secret is stored.

const DAY = 24 * 3600_000
const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** Returns the address once. By who may change the album. */
export const create = (context: SessionContext, id: number, days: number) =>
  transaction(context.db, async (tx) => {
    await model.requireManaged(context, tx, id)
    const now = isoNow()
    const { count } = await tx
      .selectFrom('album_links')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('album_id', '=', id)
      .where('ends_at', '>', now)
      .executeTakeFirstOrThrow()
    if (Number(count) >= MAX_LINKS) throw createTooManyError()
    const token = randomBytes(32).toString('base64url')
    await tx
      .insertInto('album_links')
      .values({
        ...{ album_id: id, created_by: context.me.id, token_hash: hashOf(token), created_at: now },
        ...{ ends_at: new Date(Date.now() + days * DAY).toISOString(), views: 0, viewed_at: null },
      })
      .execute()
    return { url: `${context.publicSite.origin}/shared/${token}` }
  })

const createTooManyError = () =>
  new HttpError(403, {
    en: `An album has at most ${MAX_LINKS} links. End one of them first.`,
    ja: `1つのアルバムのリンクは${MAX_LINKS}個までです。先に、どれかを無効にしてください。`,
  })

/** Those that have not ended, newest first. 403 for who may not change the album. */
export async function list(context: SessionContext, id: number) {
  const album = await read.requireAlbum(context, id)
  if (!context.me.is_admin && !read.isOwn(album, context.me.id)) throw model.createNotOwnError(context)
  return (await listRows(context, { limit: MAX_LINKS }, id)).body
}

/** Of all albums, for admins, who see no pictures by it. */
export const listAll = (context: MemberContext, page: PageParams) => listRows(context, page)

async function listRows(context: MemberContext, page: PageParams, album?: number) {
  const found = context.db
    .selectFrom('album_links as l')
    .innerJoin('albums as a', 'a.id', 'l.album_id')
    .innerJoin(people.unfiltered(context).as('u'), 'u.id', 'l.created_by')
    .select(['l.id', 'l.album_id', 'a.title', 'l.created_at', 'l.ends_at', 'l.views', 'l.viewed_at'])
    .select(['u.id as user_id', 'u.name', 'u.image', 'u.shared_handle'])
    .where('l.ends_at', '>', isoNow())
    .$if(album !== undefined, (query) => query.where('l.album_id', '=', album!))
  const rows = await pageOf(found, 'l.id', page, 'desc').execute()
  return paged(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    (shown) =>
      shown.map(
        ({ user_id, name, image, shared_handle, views, ...link }): AlbumLink => ({
          ...link,
          views_count: Number(views),
          created_by: people.fromRow(context.media, { id: user_id, name, image, shared_handle }),
        }),
      ),
  )
}

/** At once. By its maker, who may change the album, and admins. 404 otherwise. */
export const end = (context: MemberContext, id: number) =>
  transaction(context.db, async (tx) => {
    const viewer = { ...context, db: tx }
    const link = await tx
      .selectFrom('album_links')
      .select(['album_id', 'created_by'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (!link) throw createMissingError()
    const isAllowed =
      context.me.is_admin ||
      link.created_by === context.me.id ||
      read.isOwn(await read.requireAlbum(viewer, link.album_id), context.me.id)
    if (!isAllowed) throw createMissingError()
    await tx.deleteFrom('album_links').where('id', '=', id).execute()
  })

const createMissingError = () =>
  new HttpError(404, { en: 'There is no such link.', ja: 'そのリンクは見つかりません。' })

export interface Opened {
  id: number
  ends_at: string
  album: read.AlbumRow
  /** The maker of the link, without rights. */
  viewer: MemberContext
}

/** Null if it has ended, or its maker has lost the account or no longer sees the album. */
export async function open(context: AppContext, token: string): Promise<Opened | null> {
  const link = await context.db
    .selectFrom('album_links')
    .select(['id', 'album_id', 'created_by', 'ends_at'])
    .where('token_hash', '=', hashOf(token))
    .where('ends_at', '>', isoNow())
    .executeTakeFirst()
  if (!link || (await visibility.isSuspended(context.db, link.created_by))) return null
  const viewer = withoutRoles(context, link.created_by)
  const album = await read.findAlbum(viewer, link.album_id)
  return album ? { id: link.id, ends_at: link.ends_at, album, viewer } : null
}

export const countView = ({ db }: AppContext, { id }: Opened) =>
  transaction(db, (tx) =>
    tx
      .updateTable('album_links')
      .set(({ eb }) => ({ views: eb('views', '+', 1), viewed_at: isoNow() }))
      .where('id', '=', id)
      .execute(),
  )

export const deleteEnded = ({ db }: AppContext) =>
  transaction(db, (tx) => tx.deleteFrom('album_links').where('ends_at', '<', isoNow()).execute())
