import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import { type CacheDependency, type Db, hasMatchingRow } from '#core/database/database.ts'
import type { GroupOfMember } from '#core/feature/groups.ts'
import { fieldError, HttpError } from '#core/http/errors.ts'
import type { AllowedViewers } from '#core/realtime/visibility.ts'
import { listFollowsOf } from '#features/people/follows.ts'
import { allFollowed, allFollowers } from '#features/people/read-follows.ts'
import type { MemberViewer, ViewerContext } from '#features/people/visibility.ts'
import * as visibility from '#features/people/visibility.ts'
import { type AudienceGroup, MAX_GROUP_CHOICES, type PostAudience } from './contract.ts'

// The rules for the author of a post are in features/people/visibility.ts.

/**
 * Changes after which caches of what a viewer sees are emptied. `update posts` is not among them, because the
 * author and the audience of a post never change.
 */
export const dependencies = ({ groups }: Pick<AppContext, 'groups'>): readonly CacheDependency[] => [
  ...visibility.tables,
  ...groups.dependencies,
  'hidden_posts',
  'follows',
  'insert into posts',
  'delete from posts',
]

/**
 * The viewer is in the audience of the post or is its author, and the post is not hidden from the viewer.
 * Every query that shows posts of others has this condition. `post` is the table `posts` or its alias.
 */
export const shown = (viewer: ViewerContext, post: string) =>
  sql<SqlBool>`(${notHiddenCondition(viewer, post)} and ${inAudience(viewer, post)})`

/** The post exists and the viewer may see it and its author. `id` is the column with the id of the post. */
export const visible = (viewer: ViewerContext, id: string) =>
  sql<SqlBool>`exists ${visibility
    .members(viewer)
    .innerJoin('posts as visible_post', 'visible_post.user_id', 'users.id')
    .select('visible_post.id')
    .where('visible_post.id', '=', sql.ref<number>(id))
    .where(shown(viewer, 'visible_post'))}`

const notHiddenCondition = ({ me }: ViewerContext, post: string) =>
  sql<SqlBool>`(${sql.ref(`${post}.id`)} not in (select post_id from hidden_posts)
    or ${sql.ref(`${post}.user_id`)} = ${me?.id ?? 0})`

/** Databases run the queries for followed people and groups at most once, and only if a post needs them. */
export function inAudience(viewer: ViewerContext, post: string) {
  const audience = sql.ref(`${post}.audience`)
  if (!visibility.isMember(viewer)) return sql<SqlBool>`${audience} = 'everyone'`
  const author = sql.ref(`${post}.user_id`)
  return sql<SqlBool>`(${audience} in ('everyone', 'members') or ${author} = ${viewer.me.id}
    or (${audience} = 'followers' and ${author} in ${allFollowed(viewer)})
    or (${audience} = 'group' and ${sql.ref(`${post}.group_id`)} in
      (select id from (${viewer.groups.groupsOf(viewer.me.id)}) own_groups)))`
}

export const isHidden = (db: Db, id: number) =>
  hasMatchingRow(db.selectFrom('hidden_posts').select('post_id').where('post_id', '=', id))

/** They decide who gets the live events of a post. */
export interface AuthorAudience {
  author: number
  audience: PostAudience
  group_id: number | null
}

type EventContext = Pick<AppContext, 'db' | 'groups'>

/**
 * The viewers who may get live events: the ids of those in the audience now, `members` for all members, or
 * undefined for everybody. At most two queries for all posts.
 */
export async function viewersLookup({ db, groups }: EventContext, posts: readonly AuthorAudience[]) {
  const authors = posts.filter(({ audience }) => audience === 'followers').map(({ author }) => author)
  const follows = await listFollowsOf(db, authors)
  const followers = Map.groupBy(follows, ({ followed_id }) => followed_id)
  const groupIds = [...new Set(posts.flatMap(({ group_id }) => group_id ?? []))]
  const memberships = groupIds.length ? (await groups.membersOf(groupIds).execute(db)).rows : []
  const members = Map.groupBy(memberships, ({ group_id }) => group_id)
  return ({ author, audience, group_id }: AuthorAudience): AllowedViewers | undefined => {
    if (audience === 'everyone') return undefined
    if (audience === 'members') return 'members'
    if (audience === 'group') return [author, ...(members.get(group_id!) ?? []).map(({ user_id }) => user_id)]
    return [author, ...(followers.get(author) ?? []).map(({ follower_id }) => follower_id)]
  }
}

/** As `postAudiences.viewersLookup`, for one post. */
export const viewers = async (context: EventContext, post: AuthorAudience) =>
  (await viewersLookup(context, [post]))(post)

/**
 * A query for the members who may see these posts of the author now, without the author and suspended members:
 * a row for each post and member.
 */
export async function readersQuery(
  context: Pick<AppContext, 'db' | 'groups' | 'contacts'>,
  author: number,
  ids: readonly number[],
) {
  const { db, groups } = context
  const found = db
    .selectFrom('posts')
    .select(['id', 'audience', 'group_id'])
    .where('id', 'in', ids)
    .where('user_id', '=', author)
  const groupIds = (await found.execute()).flatMap(({ group_id }) => group_id ?? [])
  const inGroup = groupIds.length
    ? sql`(p.group_id, u.id) in (select group_id, user_id from (${groups.membersOf(groupIds)}) of_groups)`
    : sql`1 = 0`
  return sql<{ post_id: number; user_id: number }>`select p.id as post_id, u.id as user_id
    from (${found}) p join (${visibility.audienceOf(context, author)}) u on p.audience in ('everyone', 'members')
      or (p.audience = 'followers' and u.id in (${allFollowers(db, author)}))
      or (p.audience = 'group' and ${inGroup})`
}

export async function isGroupOwner({ groups, me }: Pick<MemberViewer, 'groups' | 'me'>, db: Db, id: number) {
  const own = sql<GroupOfMember>`select * from (${groups.groupsOf(me.id)}) own_groups where id = ${id}`
  return (await own.execute(db)).rows.some(({ is_owner }) => is_owner)
}

/** Whether the post is for a group that the member owns. */
export async function ownsGroupOf(viewer: Pick<MemberViewer, 'groups' | 'me'>, db: Db, post: number) {
  const group = await groupOf(db, post)
  return group !== null && isGroupOwner(viewer, db, group)
}

/** For which the post is; null for other audiences. */
export async function groupOf(db: Db, post: number) {
  const row = await db.selectFrom('posts').select('group_id').where('id', '=', post).executeTakeFirst()
  return row?.group_id ?? null
}

/** The ended groups that the member is in. `member` is an id, or a column of an outer query. */
export const endedGroups = ({ groups }: Pick<AppContext, 'groups'>, member: number | RawBuilder<number>) =>
  sql`(select id from (${groups.groupsOf(member)}) own_groups where has_ended)`

/** As `visible`, without posts of groups that have ended: they ask nobody for anything. */
export const asks = (viewer: MemberViewer, id: string) =>
  sql<SqlBool>`(${visible(viewer, id)} and not exists (select 1 from posts ended_post
    where ended_post.id = ${sql.ref(id)} and ended_post.group_id in ${endedGroups(viewer, viewer.me.id)}))`

/** 403 if it is for a group of the member that has ended: nobody writes there any more. */
export async function requireOpen(viewer: Pick<MemberViewer, 'groups' | 'me'>, db: Db, post: number) {
  const inEnded = db
    .selectFrom('posts')
    .select('id')
    .where('id', '=', post)
    .where(sql<SqlBool>`group_id in ${endedGroups(viewer, viewer.me.id)}`)
  if (await hasMatchingRow(inEnded)) throw hasEnded()
}

/** 403 for a group of the member that has ended. */
export async function requireOpenGroup(viewer: Pick<MemberViewer, 'groups' | 'me'>, db: Db, group: number) {
  const { rows } =
    await sql`select 1 as found where ${group} in ${endedGroups(viewer, viewer.me.id)}`.execute(db)
  if (rows.length) throw hasEnded()
}

const hasEnded = () =>
  new HttpError(403, {
    en: 'This group has ended. You can still read it.',
    ja: 'このグループは終了しました。これまでの投稿は読めます。',
  })

/** For which a post can be. Ordered by name, at most `MAX_GROUP_CHOICES`. */
export async function listGroups({ db, groups, me }: MemberViewer): Promise<AudienceGroup[]> {
  const query = sql<GroupOfMember>`select id, name, is_owner from (${groups.groupsOf(me.id)}) own_groups
    where not has_ended order by name, id limit ${MAX_GROUP_CHOICES}`
  const { rows } = await query.execute(db)
  return rows.map(({ id, name, is_owner }) => ({ id, name, ...(is_owner && { is_owner: true }) }))
}

/** 422 if the audience is a group that does not contain the author, or has ended. */
export async function requireColumns(
  { db, groups, me }: MemberViewer,
  audience: PostAudience,
  group_id: number | undefined,
) {
  if (audience !== 'group') return { audience, group_id: null }
  const { rows } = await sql`select id from (${groups.groupsOf(me.id)}) own_groups
    where id = ${group_id ?? 0} and not has_ended`.execute(db)
  if (!rows.length) throw fieldError('group_id', notInGroup)
  return { audience, group_id: group_id! }
}

const notInGroup = { en: 'You are not in this group.', ja: 'このグループのメンバーではありません。' }
