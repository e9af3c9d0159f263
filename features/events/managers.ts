import type { MemberContext } from '#core/context.ts'
import type { Db } from '#core/database/database.ts'
import { HttpError } from '#core/http/errors.ts'
import * as audiences from '#features/posts/audiences.ts'
import type { FullDate } from './rows.ts'

/** 403 except for who wrote the post, and owners of its group. */
export async function require(
  { me, groups }: MemberContext,
  db: Db,
  { user_id, group_id }: Pick<FullDate, 'user_id' | 'group_id'>,
) {
  const mayManage =
    user_id === me.id || (group_id !== null && (await audiences.isGroupOwner({ groups, me }, db, group_id)))
  if (!mayManage) throw notManager()
}

const notManager = () =>
  new HttpError(403, {
    en: 'Only the person who planned this event and owners of its group can do this.',
    ja: 'この操作ができるのは、予定を作った人と、グループのまとめ役だけです。',
  })
