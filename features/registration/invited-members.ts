import type { MemberContext } from '#core/context.ts'
import { pageOf } from '#core/database/keyset.ts'
import type { PageParams } from '#core/schemas.ts'
import type { Person } from '#features/people/contract.ts'
import * as listed from '#features/people/listed.ts'
import * as people from '#features/people/read.ts'
import type { ViewerContext } from '#features/people/visibility.ts'
import * as invitations from './invitations.ts'

/** By id. 404 if there is no such invitation. */
export async function listInvited(viewer: MemberContext, { id, ...page }: PageParams & { id: number }) {
  await invitations.get(viewer, id)
  const found = listed
    .query(viewer)
    .innerJoin('invitation_uses', 'invitation_uses.user_id', 'users.id')
    .where('invitation_uses.invitation_id', '=', id)
  return listed.toPage(viewer, await pageOf(found, 'invitation_uses.user_id', page).execute(), page)
}

/**
 * No entry for members without an invitation, or whose inviter has deleted the account. Only for admins,
 * because no visibility rule applies.
 */
export async function getInviters(viewer: ViewerContext, ids: readonly number[]) {
  if (!ids.length) return new Map<number, Person>()
  const rows = await people
    .unfiltered(viewer)
    .innerJoin('invitations', 'invitations.created_by', 'users.id')
    .innerJoin('invitation_uses', 'invitation_uses.invitation_id', 'invitations.id')
    .select('invitation_uses.user_id')
    .where('invitation_uses.user_id', 'in', ids)
    .execute()
  return new Map(rows.map(({ user_id, ...person }) => [user_id, people.fromRow(viewer.media, person)]))
}
