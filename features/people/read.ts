import { type ExpressionBuilder, sql } from 'kysely'
import { type AppContext, createMemberContextWithoutRoles } from '#core/context.ts'
import type { Language, PaginationParameters } from '#core/contract.ts'
import {
  type DatabaseTables,
  type Db,
  hasMatchingRow,
  toSqlSubstringLikePattern,
} from '#core/database/database.ts'
import { limitQueryToKeysetPagePlusOneRow } from '#core/database/keyset.ts'
import { HttpError, httpErrorFactories } from '#core/http/errors.ts'
import { toPagedResponse } from '#core/http/pagination.ts'
import type { ImageOutputSizes } from '#core/media/images.ts'
import type { MediaService } from '#core/media/media.ts'
import { foldNameForSearch } from '#core/unicode.ts'
import { buildChildAccountsQuery } from './children.ts'
import type { ListedUser, Me, Person, Profile } from './contract.ts'
import { isFollowing } from './read-follows.ts'
import {
  buildNotMutedCondition,
  buildVisibleFormerOrBlockedMembersQuery,
  buildVisibleMembersQuery,
  buildVisibleOrFormerMembersQuery,
  type MemberViewerContext,
  type ViewerContext,
  visibilityAndMuteTableNames,
} from './visibility.ts'

const LARGE_AVATAR = 256
export const avatarImageOutputSizes: ImageOutputSizes = { squares: [96, LARGE_AVATAR] }

/** Returns the URL of a profile image; null if the member has none. */
export const toAvatarUrl = (media: MediaService, image: string | null) =>
  image && media.url(image, LARGE_AVATAR)

/** The columns of `users` from which a `Person` is made, besides the id and the name. */
interface PersonColumns {
  image: string | null
  shared_handle: string | null
  former_since?: string | null
}

/**
 * Converts a row of `users` to a `Person`: the column `image` becomes the field `profile_image` with the
 * URL of the picture, `shared_handle` is left out if it is null, and `is_former` is added if the row is a
 * former member. Other columns stay.
 */
export const toPersonFromRow = <Row extends PersonColumns>(
  media: MediaService,
  { image, shared_handle, former_since = null, ...row }: Row,
) => ({
  ...row,
  profile_image: toAvatarUrl(media, image),
  ...(shared_handle !== null && { shared_handle }),
  ...(former_since !== null && { is_former: true }),
})

/**
 * Converts a row of `users` like `toPersonFromRow`, and adds the field `shares_name`: whether another person
 * has a name that looks alike.
 */
export const toPersonWithLookalikeNameFlag = <Row extends PersonColumns>(media: MediaService, row: Row) => ({
  ...toPersonFromRow(media, row),
  shares_name: row.shared_handle !== null,
})

export const createNoSuchUserError = () =>
  new HttpError(404, { en: 'There is no such user.', ja: 'そのユーザーは見つかりません。' })

// ── One person ──────────────────────────────────────────────────────────────

/** Reads the viewer's own account. Throws 401 if the account no longer exists. */
export async function readMe({ db, media, me: { id, needs_second_step } }: MemberViewerContext): Promise<Me> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'name', 'handle', 'shared_handle', 'email', 'bio', 'image'])
    .select(['email_verified_at', 'created_at'])
    .select((query) => buildIsAdminExpression(query).as('admin'))
    .select((query) => isModeratorExpression(query).as('moderator'))
    .select((query) => query.exists(buildChildAccountsQuery(db).where('user_id', '=', id)).as('child'))
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw httpErrorFactories.unauthenticated()
  const { admin, moderator, child, ...rest } = row
  const account = { ...toPersonWithLookalikeNameFlag(media, rest), ...(child && { is_child: true as const }) }
  if (needs_second_step) return { ...account, is_admin: false, needs_second_step }
  const isModerator = Boolean(moderator) && ({ is_moderator: true } as const)
  return { ...account, is_admin: Boolean(admin), ...isModerator }
}

/**
 * Creates a function that reads the viewer's own account and caches it until one of the tables that it reads
 * changes. Every page of a member needs this data.
 */
export function createCachedMeReader({ queryCaches }: Pick<AppContext, 'queryCaches'>) {
  const records = queryCaches<Me>(['users', 'admins', 'moderators', 'children'], 10_000)
  return (viewer: MemberViewerContext) => {
    const { id, needs_second_step } = viewer.me
    return records(needs_second_step ? `${id} without rights` : String(id), () => readMe(viewer))
  }
}

/**
 * Builds the query for the people whom the viewer may see, with the columns of a `Person`. Other features
 * join it to read authors.
 */
export const buildVisiblePersonRowsQuery = (viewer: ViewerContext) =>
  buildVisibleMembersQuery(viewer).select(['id', 'name', 'image', 'shared_handle'])

export const formerMemberLabels = { en: 'Former member', ja: '元メンバー' } satisfies Record<Language, string>

const authorColumns = (viewer: ViewerContext) =>
  [
    'users.id',
    'image',
    'shared_handle',
    'former_since',
    sql<string>`case when former_since is null then name else ${formerMemberLabels[viewer.lang ?? 'en']} end`.as(
      'name',
    ),
  ] as const

/**
 * Builds the query for the people whom the viewer may see, and former members, with the columns of a
 * `Person`. The name of a former member is “Former member” in the viewer's language. Queries for messages,
 * conversations and changes of groups join it.
 */
export const buildVisibleOrFormerAuthorRowsQuery = (viewer: ViewerContext) =>
  buildVisibleOrFormerMembersQuery(viewer).select(authorColumns(viewer))

/**
 * Builds the query for the people of `buildVisibleOrFormerAuthorRowsQuery`, and those whom the viewer has
 * blocked. See `buildVisibleFormerOrBlockedMembersQuery`.
 */
export const buildVisibleFormerOrBlockedAuthorRowsQuery = (viewer: MemberViewerContext) =>
  buildVisibleFormerOrBlockedMembersQuery(viewer).select(authorColumns(viewer))

/**
 * Builds the query for all people, with the columns of a `Person`, without visibility rules. Broadcasts use
 * it, and then leave out the viewers who may not see the people. Endpoints for admins and moderators,
 * and those about guardians and their children, use it too.
 */
export const buildUnfilteredPersonRowsQuery = (viewer: ViewerContext) =>
  viewer.db.selectFrom('users').select(authorColumns(viewer))

/** Reads the fields of a person that everybody may see. Throws 404 if the viewer may not see the person. */
export async function readPerson(viewer: ViewerContext, id: number): Promise<Person> {
  const row = await buildVisiblePersonRowsQuery(viewer).where('id', '=', id).executeTakeFirst()
  if (!row) throw createNoSuchUserError()
  return toPersonFromRow(viewer.media, row)
}

/**
 * Creates a function that reads what others see of a member, by the member's own id. That function throws 404
 * if the account no longer exists. The results are cached until a member or a visibility rule changes: each
 * subscription to `presence-here` needs them twice, and after a restart all members subscribe at once.
 */
export function createCachedOwnPersonReader(context: AppContext) {
  const people = context.queryCaches<Person>(visibilityAndMuteTableNames, 10_000)
  return (me: number) =>
    people(String(me), () => readPerson(createMemberContextWithoutRoles(context, me), me))
}

/**
 * Reads the profile of a person, with the fields that other members may see. Throws 404 if the viewer may not
 * see the person.
 */
export async function readProfile(viewer: MemberViewerContext, id: number): Promise<Profile> {
  const row = await buildVisibleMembersQuery(viewer)
    .select(['id', 'name', 'handle', 'shared_handle', 'bio', 'image', 'created_at'])
    .select((query) => query.not(buildNotMutedCondition(viewer, 'users.id')).as('muted'))
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw createNoSuchUserError()
  const { muted, ...person } = row
  const [following_count, followers_count, follows_me] = await Promise.all([
    countFollows(viewer, 'follower_id', id),
    countFollows(viewer, 'followed_id', id),
    isFollowing(viewer.db, id, viewer.me.id),
  ])
  const profile = toPersonWithLookalikeNameFlag(viewer.media, person)
  const isMuted = muted && ({ is_muted: true } as const)
  return { ...profile, following_count, followers_count, follows_me, ...isMuted }
}

/**
 * Counts the people whom the member `id` follows (column `follower_id`), or who follow this member (column
 * `followed_id`). Counts only people whom the viewer may see.
 */
async function countFollows(viewer: ViewerContext, column: 'follower_id' | 'followed_id', id: number) {
  const other = column === 'follower_id' ? 'followed_id' : 'follower_id'
  const { count } = await buildVisibleMembersQuery(viewer)
    .innerJoin('follows', `follows.${other}`, 'users.id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(`follows.${column}`, '=', id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Reads the e-mail address of an account, and when it was verified; both are null if the account has no
 * address. Only the owner of the address and admins may get the result. Throws 404 if there is no such
 * account.
 */
export async function readEmailAndVerifiedTime(db: Db, id: number) {
  const account = await db
    .selectFrom('users')
    .select(['email', 'email_verified_at'])
    .where('id', '=', id)
    .where('former_since', 'is', null)
    .executeTakeFirst()
  if (!account) throw httpErrorFactories.notFound()
  return account
}

/**
 * Reads what a mail to a member needs: the name, the handle, the e-mail address, and when it was verified.
 * Returns undefined if there is no such account.
 */
export const readNameHandleEmailAndVerifiedTime = (db: Db, id: number) =>
  db
    .selectFrom('users')
    .select(['name', 'handle', 'email', 'email_verified_at'])
    .where('id', '=', id)
    .executeTakeFirst()

export const buildIsAdminExpression = (query: ExpressionBuilder<DatabaseTables, 'users'>) =>
  query.exists(query.selectFrom('admins').select('user_id').whereRef('admins.user_id', '=', 'users.id'))

const isModeratorExpression = (query: ExpressionBuilder<DatabaseTables, 'users'>) =>
  query.exists(
    query.selectFrom('moderators').select('user_id').whereRef('moderators.user_id', '=', 'users.id'),
  )

// ── Lists ───────────────────────────────────────────────────────────────────

/**
 * Builds the query for the people whom the viewer may see, with the columns of a `ListedUser`. Other features
 * add joins.
 */
export const buildVisibleListedUsersQuery = (viewer: ViewerContext) =>
  buildVisibleMembersQuery(viewer).select([
    'users.id',
    'users.name',
    'users.handle',
    'users.image',
    'users.shared_handle',
    sql<string | null>`substr(bio, 1, 160)`.as('bio'),
  ])

/**
 * Returns one page of the people whom the viewer may see, including the viewer, ordered by id. If `q` is not
 * null, returns only those whose name contains `q`, ignoring case, width and accents.
 */
export async function listVisibleUsersMatchingName(
  viewer: ViewerContext,
  { q, ...page }: PaginationParameters & { q: string | null },
) {
  const found = buildVisibleListedUsersQuery(viewer).$if(q !== null, (query) => query.where(nameContains(q!)))
  const rows = await limitQueryToKeysetPagePlusOneRow(found, 'users.id', page).execute()
  return toPagedListedUsersResponse(viewer, rows, page)
}

/** Returns one page of the people whom the viewer follows and may see, ordered by id. */
export async function listOwnFollowedUsers(viewer: MemberViewerContext, page: PaginationParameters) {
  const found = buildVisibleListedUsersQuery(viewer)
    .innerJoin('follows', 'follows.followed_id', 'users.id')
    .where('follows.follower_id', '=', viewer.me.id)
  const rows = await limitQueryToKeysetPagePlusOneRow(found, 'follows.followed_id', page).execute()
  return toPagedListedUsersResponse(viewer, rows, page)
}

/**
 * Returns one page of the followers of a person (`followed_id`), or of the people whom the person follows
 * (`follower_id`), ordered by id. Throws 404 if the viewer may not see the person.
 */
export async function listFollowersOrFollowing(
  viewer: MemberViewerContext,
  column: 'follower_id' | 'followed_id',
  { id, ...page }: PaginationParameters & { id: number },
) {
  await readPerson(viewer, id)
  const other = column === 'follower_id' ? 'followed_id' : 'follower_id'
  const found = buildVisibleListedUsersQuery(viewer)
    .innerJoin('follows', `follows.${other}`, 'users.id')
    .where(`follows.${column}`, '=', id)
  return toPagedListedUsersResponse(
    viewer,
    await limitQueryToKeysetPagePlusOneRow(found, `follows.${other}`, page).execute(),
    page,
  )
}

const nameContains = (text: string) =>
  sql<boolean>`name_key like ${toSqlSubstringLikePattern(foldNameForSearch(text))} escape '\\'`

export const toPagedListedUsersResponse = (
  { media }: ViewerContext,
  rows: Awaited<ReturnType<ReturnType<typeof buildVisibleListedUsersQuery>['execute']>>,
  { limit }: PaginationParameters,
) =>
  toPagedResponse(
    rows,
    limit,
    (last) => ({ after: last.id }),
    (shown): ListedUser[] => shown.map((row) => toPersonWithLookalikeNameFlag(media, row)),
  )

/** Returns whether the viewer may see at least one other member. */
export const hasOtherVisibleMembers = (viewer: MemberViewerContext) =>
  hasMatchingRow(buildVisibleMembersQuery(viewer).select('id').where('id', '!=', viewer.me.id).limit(1))

export const communityHasAccounts = (db: Db) =>
  hasMatchingRow(db.selectFrom('users').select('id').where('former_since', 'is', null).limit(1))

export const communityHasAdmins = (db: Db) =>
  hasMatchingRow(db.selectFrom('admins').select('user_id').limit(1))

export const isAdmin = (db: Db, id: number) =>
  hasMatchingRow(db.selectFrom('admins').select('user_id').where('user_id', '=', id))
