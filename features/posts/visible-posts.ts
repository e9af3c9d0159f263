import { type SqlBool, sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import { type Db, hasMatchingRow, type QueryCacheDependency } from '#core/database/database.ts'
import type { GroupOfMember } from '#core/groups.ts'
import { createInvalidFieldError } from '#core/http/errors.ts'
import type { AllowedEventViewers } from '#core/realtime/visibility.ts'
import { listFollowsWithoutVisibilityRules } from '#features/people/follows.ts'
import { buildAllFollowedIdsQuery } from '#features/people/read-follows.ts'
import {
  buildVisibleMembersQuery,
  isMemberViewer,
  type MemberViewerContext,
  type ViewerContext,
  visibilityAndMuteTableNames,
} from '#features/people/visibility.ts'
import { type AudienceGroup, MAX_AUDIENCE_GROUP_CHOICES, type PostAudience } from './contract.ts'

// This file decides who may see a post, besides the rules for its author (features/people/visibility.ts).

/**
 * Lists the tables and changes that decide which posts a viewer may see, and the mutes. `update posts` is
 * not in the list, because the author and the audience of a post never change.
 */
export const listPostVisibilityDependencies = ({
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
 * SQL condition: the viewer may see the post, as far as its audience and the moderators decide. Every query
 * that shows posts of others to the viewer has this condition. `post` is the name or alias of the table
 * `posts` in the query.
 */
export const buildPostAudienceAndNotHiddenCondition = (viewer: ViewerContext, post: string) =>
  sql<SqlBool>`(${notHiddenCondition(viewer, post)} and ${buildPostAudienceCondition(viewer, post)})`

/**
 * SQL condition: the post exists, and the viewer may see it and its author. `id` is the name of the column
 * with the id of the post.
 */
export const buildVisiblePostCondition = (viewer: ViewerContext, id: string) =>
  sql<SqlBool>`exists ${buildVisibleMembersQuery(viewer)
    .innerJoin('posts as visible_post', 'visible_post.user_id', 'users.id')
    .select('visible_post.id')
    .where('visible_post.id', '=', sql.ref<number>(id))
    .where(buildPostAudienceAndNotHiddenCondition(viewer, 'visible_post'))}`

/** SQL condition: no moderator has hidden the post, or the viewer is its author. */
const notHiddenCondition = ({ me }: ViewerContext, post: string) =>
  sql<SqlBool>`(${sql.ref(`${post}.id`)} not in (select post_id from hidden_posts)
    or ${sql.ref(`${post}.user_id`)} = ${me?.id ?? 0})`

/**
 * SQL condition: the viewer is in the audience of the post, or is its author. Databases run the queries for
 * followed people and for groups at most once for a statement, and only if there is such a post.
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

/** The columns that decide who gets the live events of a post. `author` is the id of its author. */
export interface PostAuthorAndAudience {
  author: number
  audience: PostAudience
  group_id: number | null
}

type EventContext = Pick<AppContext, 'db' | 'groups'>

/**
 * Returns a function that returns the viewers who may get the live events of one of these posts: the ids of
 * the viewers in the audience of the post now, `members` for all members, or undefined for everybody. Needs
 * at most two queries for all posts.
 */
export async function createPostEventViewersLookup(
  { db, groups }: EventContext,
  posts: readonly PostAuthorAndAudience[],
) {
  const authors = posts.filter(({ audience }) => audience === 'followers').map(({ author }) => author)
  const follows = await listFollowsWithoutVisibilityRules(db, authors)
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

/** Returns the viewers who may get the live events of one post: see `createPostEventViewersLookup`. */
export const readPostEventViewers = async (context: EventContext, post: PostAuthorAndAudience) =>
  (await createPostEventViewersLookup(context, [post]))(post)

/** Lists the groups of the member, by name. */
export async function listAudienceGroups({ db, groups, me }: MemberViewerContext): Promise<AudienceGroup[]> {
  const query = sql<GroupOfMember>`select id, name, is_owner from (${groups.groupsOf(me.id)}) own_groups
    order by name, id limit ${MAX_AUDIENCE_GROUP_CHOICES}`
  const { rows } = await query.execute(db)
  return rows.map(({ id, name, is_owner }) => ({ id, name, ...(is_owner && { is_owner: true }) }))
}

/**
 * Returns the columns of a new post that store its audience. For a group, throws 422 if the author is not in
 * it or it does not exist.
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
