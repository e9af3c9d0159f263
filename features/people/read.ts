import { type ExpressionBuilder, sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import { foldName, type PageParams } from '#core/contract.ts'
import { type Db, exists, likePattern, type Tables } from '#core/database/database.ts'
import { keysetPage } from '#core/database/keyset.ts'
import { errors, HttpError } from '#core/http/errors.ts'
import { paged } from '#core/http/pagination.ts'
import type { ImageSizes } from '#core/media/images.ts'
import type { Media } from '#core/media/media.ts'
import type { Listed, Me, Person, Profile } from './contract.ts'
import { type MemberViewer, type Viewer, visiblePeople } from './visibility.ts'

const LARGE_AVATAR = 256
export const avatarSizes: ImageSizes = { squares: [96, LARGE_AVATAR] }

/** The URL of a profile image; null where the member has none. */
export const avatarUrl = (media: Media, image: string | null) => image && media.url(image, LARGE_AVATAR)

/** Replaces the column `image` by the URL that clients get. */
export const withAvatar = <Row extends { image: string | null }>(media: Media, { image, ...row }: Row) => ({
  ...row,
  profile_image: avatarUrl(media, image),
})

/** SQL: whether somebody else has a name that looks like that of the row of `users`. */
export const sharesName = sql<unknown>`exists (
  select 1 from users as other where other.name_skeleton = users.name_skeleton and other.id <> users.id)`

/** SQLite has no booleans. */
export const withDistinct = <Row extends { shares_name: unknown }>({ shares_name, ...row }: Row) => ({
  ...row,
  shares_name: Boolean(shares_name),
})

export const noSuchUser = () =>
  new HttpError(404, { en: 'There is no such user.', ja: 'そのユーザーは見つかりません。' })

// ── One person ──────────────────────────────────────────────────────────────

/** The viewer's own record. Throws 401 when the account is gone. */
export async function me({ db, media, me: { id } }: MemberViewer): Promise<Me> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'name', 'handle', 'email', 'bio', 'image', 'email_verified_at', 'created_at'])
    .select(sharesName.as('shares_name'))
    .select((query) => isAdmin(query).as('admin'))
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw errors.unauthenticated()
  const { admin, ...rest } = row
  return { ...withAvatar(media, withDistinct(rest)), is_admin: Boolean(admin) }
}

/** Caches the answers of `me` until a table that it reads changes, because every page of a member asks for one. */
export function createOwnRecords({ queryCaches }: Pick<AppContext, 'queryCaches'>) {
  const records = queryCaches<Me>(['users', 'admins'], 10_000)
  return (viewer: MemberViewer) => records(String(viewer.me.id), () => me(viewer))
}

/** The people that the viewer may see, with the columns of a `Person`. Other features join it for authors. */
export const personRows = (viewer: Viewer) => visiblePeople(viewer).select(['id', 'name', 'image'])

/** Reads the fields that everybody may see. Throws 404 where the viewer may not see the person. */
export async function person(viewer: Viewer, id: number): Promise<Person> {
  const row = await personRows(viewer).where('id', '=', id).executeTakeFirst()
  if (!row) throw noSuchUser()
  return withAvatar(viewer.media, row)
}

/** Reads the fields that other members may see. Throws 404 where the viewer may not see the person. */
export async function profile(viewer: MemberViewer, id: number): Promise<Profile> {
  const row = await visiblePeople(viewer)
    .select(['id', 'name', 'handle', 'bio', 'image', 'created_at'])
    .select(sharesName.as('shares_name'))
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw noSuchUser()
  const [following_count, followers_count, follows_me] = await Promise.all([
    countFollows(viewer, 'follower_id', id),
    countFollows(viewer, 'followed_id', id),
    isFollowing(viewer.db, id, viewer.me.id),
  ])
  return { ...withAvatar(viewer.media, withDistinct(row)), following_count, followers_count, follows_me }
}

/** How many people, whom the viewer may see, `id` follows (`follower_id`) or is followed by (`followed_id`). */
async function countFollows(viewer: Viewer, column: 'follower_id' | 'followed_id', id: number) {
  const other = column === 'follower_id' ? 'followed_id' : 'follower_id'
  const { n } = await visiblePeople(viewer)
    .innerJoin('follows', `follows.${other}`, 'users.id')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where(`follows.${column}`, '=', id)
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** The e-mail address of an account, for its owner and for admins. */
export async function emailOf(db: Db, id: number) {
  const account = await db
    .selectFrom('users')
    .select(['email', 'email_verified_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!account) throw errors.notFound()
  return account
}

export const isAdmin = (query: ExpressionBuilder<Tables, 'users'>) =>
  query.exists(query.selectFrom('admins').select('user_id').whereRef('admins.user_id', '=', 'users.id'))

// ── Lists ───────────────────────────────────────────────────────────────────

/** The columns of a `Listed`. Other features join it for lists of people. */
export const listed = (viewer: Viewer) =>
  visiblePeople(viewer).select([
    'users.id',
    'users.name',
    'users.handle',
    'users.image',
    sharesName.as('shares_name'),
    sql<string | null>`substr(bio, 1, 160)`.as('bio'),
  ])

/** People by id, the viewer included. `q` is contained in the name, whatever the case, width and accents of its letters. */
export async function users(viewer: Viewer, { q, ...page }: PageParams & { q: string | null }) {
  const found = listed(viewer).$if(q !== null, (query) => query.where(nameContains(q!)))
  const rows = await keysetPage(found, 'users.id', page).execute()
  return pageOfPeople(viewer, rows, page)
}

/** The people that the viewer follows, by id. */
export async function followedUsers(viewer: MemberViewer, page: PageParams) {
  const followed = listed(viewer)
    .innerJoin('follows', 'follows.followed_id', 'users.id')
    .where('follows.follower_id', '=', viewer.me.id)
  const rows = await keysetPage(followed, 'follows.followed_id', page).execute()
  return pageOfPeople(viewer, rows, page)
}

/**
 * The people who follow a person (`followed_id`) or whom the person follows (`follower_id`), by id. Throws 404 where
 * the viewer may not see the person.
 */
export async function followsOf(
  viewer: MemberViewer,
  column: 'follower_id' | 'followed_id',
  { id, ...page }: PageParams & { id: number },
) {
  await person(viewer, id)
  const other = column === 'follower_id' ? 'followed_id' : 'follower_id'
  const found = listed(viewer)
    .innerJoin('follows', `follows.${other}`, 'users.id')
    .where(`follows.${column}`, '=', id)
  return pageOfPeople(viewer, await keysetPage(found, `follows.${other}`, page).execute(), page)
}

const nameContains = (text: string) => sql<boolean>`name_key like ${likePattern(foldName(text))} escape '\\'`

export const pageOfPeople = (
  { media }: Viewer,
  rows: Awaited<ReturnType<ReturnType<typeof listed>['execute']>>,
  { limit }: PageParams,
) =>
  paged(
    rows,
    limit,
    (last) => ({ after: last.id }),
    (shown): Listed[] => shown.map((row) => withAvatar(media, withDistinct(row))),
  )

// ── Follows ─────────────────────────────────────────────────────────────────

/** The ids (`followed_id`) of everybody that the viewer follows, to join with people that the viewer may see. */
export const followed = ({ db, me }: MemberViewer) =>
  db.selectFrom('follows').select('followed_id').where('follower_id', '=', me.id)

/** The ids (`followed_id`) of the people that the viewer follows and may see, to be run or used in another query. */
export const followedPeople = (viewer: MemberViewer) =>
  visiblePeople(viewer)
    .innerJoin('follows', 'follows.followed_id', 'users.id')
    .select('follows.followed_id')
    .where('follows.follower_id', '=', viewer.me.id)

export async function followings(viewer: MemberViewer) {
  const rows = await followedPeople(viewer).orderBy('follows.followed_id').execute()
  return rows.map((row) => row.followed_id)
}

export const isFollowing = (db: Db, follower: number, followed: number) =>
  exists(
    db
      .selectFrom('follows')
      .select('followed_id')
      .where('follower_id', '=', follower)
      .where('followed_id', '=', followed),
  )

export const followsSomebody = ({ db, me }: MemberViewer) =>
  exists(db.selectFrom('follows').select('followed_id').where('follower_id', '=', me.id).limit(1))

/** Whether the viewer may see anybody beside themselves. */
export const hasOthers = (viewer: MemberViewer) =>
  exists(visiblePeople(viewer).select('id').where('id', '!=', viewer.me.id).limit(1))

export const hasAccounts = (db: Db) => exists(db.selectFrom('users').select('id').limit(1))

export const hasAdmins = (db: Db) => exists(db.selectFrom('admins').select('user_id').limit(1))

export const isAdminMember = (db: Db, id: number) =>
  exists(db.selectFrom('admins').select('user_id').where('user_id', '=', id))
