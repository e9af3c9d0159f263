import { type ExpressionBuilder, sql } from 'kysely'
import { type AppContext, withoutRoles } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { type DatabaseTables, type Db, hasMatchingRow, idIn } from '#core/database/database.ts'
import { HttpError, httpErrors } from '#core/http/errors.ts'
import type { ImageSizes } from '#core/media/images.ts'
import type { MediaService } from '#core/media/media.ts'
import { waitsFor } from './apart.ts'
import { childAccounts } from './children.ts'
import type { Me, Person, Profile } from './contract.ts'
import { isFollowing } from './read-follows.ts'
import type { MemberViewer, ViewerContext } from './visibility.ts'
import * as visibility from './visibility.ts'

const LARGE_AVATAR = 256
export const avatarSizes: ImageSizes = { squares: [96, LARGE_AVATAR] }

export const avatarUrl = (media: MediaService, image: string | null) =>
  image && media.url(image, LARGE_AVATAR)

interface PersonColumns {
  image: string | null
  shared_handle: string | null
  reading?: string | null
  former_since?: string | null
}

/**
 * `image` becomes the URL `profile_image`, `shared_handle` and `reading` are left out if null, and `is_former`
 * is added for a former member. Other columns stay.
 */
export const fromRow = <Row extends PersonColumns>(
  media: MediaService,
  { image, shared_handle, reading = null, former_since = null, ...row }: Row,
) => ({
  ...row,
  profile_image: avatarUrl(media, image),
  ...(shared_handle !== null && { shared_handle }),
  ...(reading !== null && { reading }),
  ...(former_since !== null && { is_former: true }),
})

export const withNameFlag = <Row extends PersonColumns>(media: MediaService, row: Row) => ({
  ...fromRow(media, row),
  shares_name: row.shared_handle !== null,
})

export const notFound = () =>
  new HttpError(404, { en: 'There is no such user.', ja: 'そのメンバーは見つかりません。' })

/** 401 if the account no longer exists. */
export async function getMe({
  db,
  media,
  contacts,
  me: { id, needs_second_step },
}: MemberViewer): Promise<Me> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'name', 'reading', 'handle', 'shared_handle', 'email', 'bio', 'image'])
    .select(['email_verified_at', 'created_at'])
    .select((query) => adminExpression(query).as('admin'))
    .select((query) => moderatorExpression(query).as('moderator'))
    .select((query) => announcerExpression(query).as('announcer'))
    .select((query) => query.exists(childAccounts(db).where('user_id', '=', id)).as('child'))
    .select(contacts.isGuardian(id).as('guardian'))
    .select(contacts.hasNews(id).as('news'))
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw httpErrors.unauthenticated()
  const { admin, moderator, announcer, child, guardian, news, ...rest } = row
  const account = {
    ...withNameFlag(media, rest),
    ...(announcer && { is_announcer: true as const }),
    ...(child && { is_child: true as const }),
    ...(guardian && { is_guardian: true as const }),
    ...(news && { guardian_news: true as const }),
  }
  if (needs_second_step) return { ...account, is_admin: false, needs_second_step }
  const isModerator = Boolean(moderator) && ({ is_moderator: true } as const)
  return { ...account, is_admin: Boolean(admin), ...isModerator }
}

/** Every page of a member needs it. Cached until one of its tables changes. */
export function meReader({ queryCaches }: Pick<AppContext, 'queryCaches'>) {
  const records = queryCaches<Me>(
    ['users', 'admins', 'moderators', 'announcers', 'children', 'guardians', 'child_notices'],
    10_000,
  )
  return (viewer: MemberViewer) => {
    const { id, needs_second_step } = viewer.me
    return records(needs_second_step ? `${id} without rights` : String(id), () => getMe(viewer))
  }
}

/** Other features join it to read authors. */
export const rows = (viewer: ViewerContext) =>
  visibility.members(viewer).select(['id', 'name', 'image', 'shared_handle'])

export const formerLabels = { en: 'Former member', ja: '元メンバー' } satisfies Record<Language, string>

const authorColumns = (viewer: ViewerContext) =>
  [
    'users.id',
    'image',
    'shared_handle',
    'former_since',
    sql<string>`case when former_since is null then name else ${formerLabels[viewer.lang ?? 'en']} end`.as(
      'name',
    ),
  ] as const

/**
 * The name of a former member is “Former member” in the viewer's language. Queries for messages,
 * conversations and changes of groups join it.
 */
export const authors = (viewer: ViewerContext) => visibility.withFormer(viewer).select(authorColumns(viewer))

/** In no particular order, without those whom the viewer may not see. */
export async function listAuthors(viewer: ViewerContext, ids: readonly number[]): Promise<Person[]> {
  if (!ids.length) return []
  const rows = await authors(viewer)
    .where(idIn(viewer.db, 'users.id', ids))
    .execute()
  return rows.map((row) => fromRow(viewer.media, row))
}

/** Also those whom the viewer has blocked: see `visibility.withBlocked`. */
export const authorsWithBlocked = (viewer: MemberViewer) =>
  visibility.withBlocked(viewer).select(authorColumns(viewer))

/**
 * Without visibility rules: for broadcasts, which then leave out the viewers who may not see the people, and
 * for endpoints of admins, moderators and guardians.
 */
export const unfiltered = (viewer: ViewerContext) =>
  viewer.db.selectFrom('users').select(authorColumns(viewer))

/** 404 if the viewer may not see the person. */
export async function get(viewer: ViewerContext, id: number): Promise<Person> {
  const row = await rows(viewer).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return fromRow(viewer.media, row)
}

/**
 * Others see this of a member. 404 if the account no longer exists. Cached until a member or a visibility
 * rule changes: each subscription to `presence-here` needs it twice, and after a restart all members
 * subscribe at once.
 */
export function ownReader(context: AppContext) {
  const people = context.queryCaches<Person>(visibility.tables, 10_000)
  return (me: number) => people(String(me), () => get(withoutRoles(context, me), me))
}

/** 404 if the viewer may not see the person. */
export async function getProfile(viewer: MemberViewer, id: number): Promise<Profile> {
  const row = await visibility
    .members(viewer)
    .select(['id', 'name', 'reading', 'handle', 'shared_handle', 'bio', 'image', 'created_at'])
    .select((query) => query.not(visibility.notMuted(viewer, 'users.id')).as('muted'))
    .select(waitsFor(viewer, 'users.id').as('waits'))
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound()
  const { muted, waits, ...person } = row
  const [following_count, followers_count, follows_me] = await Promise.all([
    countFollows(viewer, 'follower_id', id),
    countFollows(viewer, 'followed_id', id),
    isFollowing(viewer.db, id, viewer.me.id),
  ])
  const profile = withNameFlag(viewer.media, person)
  const isMuted = muted && ({ is_muted: true } as const)
  return {
    ...profile,
    following_count,
    followers_count,
    follows_me,
    ...isMuted,
    ...(waits && { waits: true as const }),
  }
}

/** `follower_id` counts the followed, `followed_id` the followers; only people whom the viewer may see. */
async function countFollows(viewer: ViewerContext, column: 'follower_id' | 'followed_id', id: number) {
  const other = column === 'follower_id' ? 'followed_id' : 'follower_id'
  const { count } = await visibility
    .members(viewer)
    .innerJoin('follows', `follows.${other}`, 'users.id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(`follows.${column}`, '=', id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Both are null without an address; 404 without an account. Only its owner and admins may get the result. */
export async function getEmail(db: Db, id: number) {
  const account = await db
    .selectFrom('users')
    .select(['email', 'email_verified_at'])
    .where('id', '=', id)
    .where('former_since', 'is', null)
    .executeTakeFirst()
  if (!account) throw httpErrors.notFound()
  return account
}

/** Undefined if there is no such account. */
export const findRecipient = (db: Db, id: number) =>
  db
    .selectFrom('users')
    .select(['name', 'handle', 'email', 'email_verified_at'])
    .where('id', '=', id)
    .executeTakeFirst()

/** Null also if there is no such account. */
export async function findReading(db: Db, id: number) {
  const row = await db.selectFrom('users').select('reading').where('id', '=', id).executeTakeFirst()
  return row?.reading ?? null
}

export const adminExpression = (query: ExpressionBuilder<DatabaseTables, 'users'>) =>
  query.exists(query.selectFrom('admins').select('user_id').whereRef('admins.user_id', '=', 'users.id'))

const moderatorExpression = (query: ExpressionBuilder<DatabaseTables, 'users'>) =>
  query.exists(
    query.selectFrom('moderators').select('user_id').whereRef('moderators.user_id', '=', 'users.id'),
  )

export const announcerExpression = (query: ExpressionBuilder<DatabaseTables, 'users'>) =>
  query.exists(
    query.selectFrom('announcers').select('user_id').whereRef('announcers.user_id', '=', 'users.id'),
  )

export const hasOthers = (viewer: MemberViewer) =>
  hasMatchingRow(visibility.members(viewer).select('id').where('id', '!=', viewer.me.id).limit(1))

export const hasAccounts = (db: Db) =>
  hasMatchingRow(db.selectFrom('users').select('id').where('former_since', 'is', null).limit(1))

export const hasAdmins = (db: Db) => hasMatchingRow(db.selectFrom('admins').select('user_id').limit(1))

export const isAdmin = (db: Db, id: number) =>
  hasMatchingRow(db.selectFrom('admins').select('user_id').where('user_id', '=', id))
