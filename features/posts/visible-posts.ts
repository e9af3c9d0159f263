import { type SqlBool, sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import { type Db, hasMatchingRow, type QueryCacheDependency } from '#core/database/database.ts'
import type { GroupOfMember } from '#core/groups.ts'
import { createInvalidFieldError } from '#core/http/errors.ts'
import type { AllowedEventViewers } from '#core/realtime/visibility.ts'
import { listUnfilteredFollowsByFollowedIds } from '#features/people/follows.ts'
import { buildAllFollowedIdsQuery } from '#features/people/read-follows.ts'
import {
  buildVisibleMembersQuery,
  isMemberViewer,
  type MemberViewerContext,
  type ViewerContext,
  visibilityAndMuteTableNames,
} from '#features/people/visibility.ts'
import { type AudienceGroup, MAX_AUDIENCE_GROUP_CHOICES, type PostAudience } from './contract.ts'

// The functions in this file decide who may see a post by its audience and by what moderators have hidden.
// The rules for the author of the post are in features/people/visibility.ts.

/**
 * Returns the names of the tables and SQL statements that can change which posts a viewer may see, or whom a
 * viewer has muted. Caches of what a viewer sees are emptied after such a change. `update posts` is not among
 * them, because the author and the audience of a post never change.
 */
export const listPostVisibilityCacheDependencies = ({
  groups,
}: Pick<AppContext, 'groups'>): readonly QueryCacheDependency[] => [
  ...visibilityAndMuteTableNames,
  ...groups.dependencies,
  'hidden_posts',
  'follows',
  'insert into posts',
  'delete from posts',
]

/**
 * Builds the SQL condition that the viewer is in the audience of the post or is its author, and that the post
 * is not hidden from the viewer. Every query that shows posts of others to the viewer has this condition.
 * `post` is the name or the alias of the table `posts` in the query.
 */
export const buildPostAudienceAndNotHiddenCondition = (viewer: ViewerContext, post: string) =>
  sql<SqlBool>`(${notHiddenCondition(viewer, post)} and ${buildPostAudienceCondition(viewer, post)})`

/**
 * Builds the SQL condition that the post exists and that the viewer may see it and its author. `id` is the
 * name of the column that contains the id of the post.
 */
export const buildVisiblePostCondition = (viewer: ViewerContext, id: string) =>
  sql<SqlBool>`exists ${buildVisibleMembersQuery(viewer)
    .innerJoin('posts as visible_post', 'visible_post.user_id', 'users.id')
    .select('visible_post.id')
    .where('visible_post.id', '=', sql.ref<number>(id))
    .where(buildPostAudienceAndNotHiddenCondition(viewer, 'visible_post'))}`

/** Builds the SQL condition that no moderator has hidden the post, or that the viewer is its author. */
const notHiddenCondition = ({ me }: ViewerContext, post: string) =>
  sql<SqlBool>`(${sql.ref(`${post}.id`)} not in (select post_id from hidden_posts)
    or ${sql.ref(`${post}.user_id`)} = ${me?.id ?? 0})`

/**
 * Builds the SQL condition that the viewer is in the audience of the post, or is its author. Databases run
 * its queries for followed people and for groups at most once in a statement, and only if a post needs them.
 */
export function buildPostAudienceCondition(viewer: ViewerContext, post: string) {
  const audience = sql.ref(`${post}.audience`)
  if (!isMemberViewer(viewer)) return sql<SqlBool>`${audience} = 'everyone'`
  const author = sql.ref(`${post}.user_id`)
  return sql<SqlBool>`(${audience} in ('everyone', 'members') or ${author} = ${viewer.me.id}
    or (${audience} = 'followers' and ${author} in ${buildAllFollowedIdsQuery(viewer)})
    or (${audience} = 'group' and ${sql.ref(`${post}.group_id`)} in
      (select id from (${viewer.groups.groupsOf(viewer.me.id)}) own_groups)))`
}

/** Returns whether a moderator has hidden the post. */
export const isPostHiddenByModerator = (db: Db, id: number) =>
  hasMatchingRow(db.selectFrom('hidden_posts').select('post_id').where('post_id', '=', id))

/**
 * The author and the audience of a post, which decide who gets its live events. `author` is the id of the
 * author.
 */
export interface PostAuthorAndAudience {
  author: number
  audience: PostAudience
  group_id: number | null
}

type EventContext = Pick<AppContext, 'db' | 'groups'>

/**
 * Returns a function that returns the viewers who may get the live events of one of the given posts: the
 * ids of the viewers in the audience of the post now, `members` for all members, or undefined for everybody.
 * Needs at most two queries for all posts.
 */
export async function createPostEventViewersLookup(
  { db, groups }: EventContext,
  posts: readonly PostAuthorAndAudience[],
) {
  const authors = posts.filter(({ audience }) => audience === 'followers').map(({ author }) => author)
  const follows = await listUnfilteredFollowsByFollowedIds(db, authors)
  const followers = Map.groupBy(follows, ({ followed_id }) => followed_id)
  const groupIds = [...new Set(posts.flatMap(({ group_id }) => group_id ?? []))]
  const memberships = groupIds.length ? (await groups.membersOf(groupIds).execute(db)).rows : []
  const members = Map.groupBy(memberships, ({ group_id }) => group_id)
  return ({ author, audience, group_id }: PostAuthorAndAudience): AllowedEventViewers | undefined => {
    if (audience === 'everyone') return undefined
    if (audience === 'members') return 'members'
    if (audience === 'group') return [author, ...(members.get(group_id!) ?? []).map(({ user_id }) => user_id)]
    return [author, ...(followers.get(author) ?? []).map(({ follower_id }) => follower_id)]
  }
}

/**
 * Returns the viewers who may get the live events of one post, as the function of
 * `createPostEventViewersLookup` does.
 */
export const readPostEventViewers = async (context: EventContext, post: PostAuthorAndAudience) =>
  (await createPostEventViewersLookup(context, [post]))(post)

/** Returns the groups of the member, ordered by name, at most `MAX_AUDIENCE_GROUP_CHOICES`. */
export async function listAudienceGroups({ db, groups, me }: MemberViewerContext): Promise<AudienceGroup[]> {
  const query = sql<GroupOfMember>`select id, name, is_owner from (${groups.groupsOf(me.id)}) own_groups
    order by name, id limit ${MAX_AUDIENCE_GROUP_CHOICES}`
  const { rows } = await query.execute(db)
  return rows.map(({ id, name, is_owner }) => ({ id, name, ...(is_owner && { is_owner: true }) }))
}

/**
 * Returns the values of the columns `audience` and `group_id` for a new post. Throws 422 if the audience is a
 * group that does not exist or does not contain the author.
 */
export async function checkPostAudienceAndReturnColumns(
  { db, groups, me }: MemberViewerContext,
  audience: PostAudience,
  group_id: number | undefined,
) {
  if (audience !== 'group') return { audience, group_id: null }
  const { rows } = await sql`select id from (${groups.groupsOf(me.id)}) own_groups
    where id = ${group_id ?? 0}`.execute(db)
  if (!rows.length) throw createInvalidFieldError('group_id', notInGroup)
  return { audience, group_id: group_id! }
}

const notInGroup = { en: 'You are not in this group.', ja: 'このグループのメンバーではありません。' }
