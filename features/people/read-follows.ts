import { type Db, hasMatchingRow } from '#core/database/database.ts'
import type { MemberViewer } from './visibility.ts'
import * as visibility from './visibility.ts'

/** Without visibility rules, which the callers apply. */
export const allFollowed = ({ db, me }: MemberViewer) =>
  db.selectFrom('follows').select('followed_id').where('follower_id', '=', me.id)

/** Without visibility rules, which the callers apply. */
export const allFollowers = (db: Db, person: number) =>
  db.selectFrom('follows').select('follower_id').where('followed_id', '=', person)

export const visibleFollowed = (viewer: MemberViewer) =>
  visibility
    .members(viewer)
    .innerJoin('follows', 'follows.followed_id', 'users.id')
    .select('follows.followed_id')
    .where('follows.follower_id', '=', viewer.me.id)

export async function listFollowedIds(viewer: MemberViewer) {
  const rows = await visibleFollowed(viewer).orderBy('follows.followed_id').execute()
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

export const followsAnyone = ({ db, me }: MemberViewer) =>
  hasMatchingRow(db.selectFrom('follows').select('followed_id').where('follower_id', '=', me.id).limit(1))
