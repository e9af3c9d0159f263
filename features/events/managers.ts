import type { MemberContext } from '#core/context.ts'
import type { Db } from '#core/database/database.ts'
import { HttpError } from '#core/http/errors.ts'
import * as audiences from '#features/posts/audiences.ts'
import type { FullDate } from './rows.ts'

type Managed = Pick<FullDate, 'user_id' | 'group_id'>

/** Who wrote the post, and owners of its group. */
export const mayManage = async ({ me, groups }: MemberContext, db: Db, { user_id, group_id }: Managed) =>
  user_id === me.id || (group_id !== null && (await audiences.isGroupOwner({ groups, me }, db, group_id)))

/** 403 for others. */
export async function require(context: MemberContext, db: Db, date: Managed) {
  if (!(await mayManage(context, db, date))) throw notManager()
}

const notManager = () =>
  new HttpError(403, {
    en: 'Only the person who planned this event and owners of its group can do this.',
    ja: 'この操作ができるのは、予定を作った人と、グループのまとめ役だけです。',
  })
