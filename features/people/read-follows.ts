import { type Db, hasMatchingRow } from '#core/database/database.ts'
import { buildVisibleMembersQuery, type MemberViewerContext } from './visibility.ts'

/**
 * Builds the query for the ids (`followed_id`) of all people whom the viewer follows, without visibility
 * rules. The callers apply these rules themselves.
 */
export const buildAllFollowedIdsQuery = ({ db, me }: MemberViewerContext) =>
  db.selectFrom('follows').select('followed_id').where('follower_id', '=', me.id)

/**
 * Builds the query for the ids (`followed_id`) of the people whom the viewer follows and may see. Callers run
 * the query, or use it inside another query.
 */
export const buildVisibleFollowedIdsQuery = (viewer: MemberViewerContext) =>
  buildVisibleMembersQuery(viewer)
    .innerJoin('follows', 'follows.followed_id', 'users.id')
    .select('follows.followed_id')
    .where('follows.follower_id', '=', viewer.me.id)

export async function listVisibleFollowedIds(viewer: MemberViewerContext) {
  const rows = await buildVisibleFollowedIdsQuery(viewer).orderBy('follows.followed_id').execute()
  return rows.map((row) => row.followed_id)
}

export const isFollowing = (db: Db, follower: number, followed: number) =>
  hasMatchingRow(
    db
      .selectFrom('follows')
      .select('followed_id')
      .where('follower_id', '=', follower)
      .where('followed_id', '=', followed),
  )

export const isFollowingAnyone = ({ db, me }: MemberViewerContext) =>
  hasMatchingRow(db.selectFrom('follows').select('followed_id').where('follower_id', '=', me.id).limit(1))
