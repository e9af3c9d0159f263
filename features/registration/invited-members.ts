import type { MemberContext } from '#core/context.ts'
import type { PaginationParameters } from '#core/contract.ts'
import { limitQueryToKeysetPagePlusOneRow } from '#core/database/keyset.ts'
import type { Person } from '#features/people/contract.ts'
import {
  buildUnfilteredPersonRowsQuery,
  buildVisibleListedUsersQuery,
  toPagedListedUsersResponse,
  toPersonFromRow,
} from '#features/people/read.ts'
import type { ViewerContext } from '#features/people/visibility.ts'
import { readInvitationByIdWithoutAccessCheck } from './invitations.ts'

/**
 * Returns a page of the members who have registered with an invitation, ordered by id. Throws 404 if there is
 * no such invitation.
 */
export async function listMembersJoinedByInvitation(
  viewer: MemberContext,
  { id, ...page }: PaginationParameters & { id: number },
) {
  await readInvitationByIdWithoutAccessCheck(viewer, id)
  const found = buildVisibleListedUsersQuery(viewer)
    .innerJoin('invitation_uses', 'invitation_uses.user_id', 'users.id')
    .where('invitation_uses.invitation_id', '=', id)
  return toPagedListedUsersResponse(
    viewer,
    await limitQueryToKeysetPagePlusOneRow(found, 'invitation_uses.user_id', page).execute(),
    page,
  )
}

/**
 * Returns a map from the id of each given member to the person who invited them. The map has no entry for
 * members who registered without an invitation, or whose inviter has deleted the account. Only for admins,
 * because no visibility rule applies.
 */
export async function readInvitersByMemberId(viewer: ViewerContext, ids: readonly number[]) {
  if (!ids.length) return new Map<number, Person>()
  const rows = await buildUnfilteredPersonRowsQuery(viewer)
    .innerJoin('invitations', 'invitations.created_by', 'users.id')
    .innerJoin('invitation_uses', 'invitation_uses.invitation_id', 'invitations.id')
    .select('invitation_uses.user_id')
    .where('invitation_uses.user_id', 'in', ids)
    .execute()
  return new Map(rows.map(({ user_id, ...person }) => [user_id, toPersonFromRow(viewer.media, person)]))
}
