import type { MemberContext } from '#core/context.ts'
import type { PaginationParameters } from '#core/contract.ts'
import { limitQueryToKeysetPagePlusOneRow } from '#core/database/keyset.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError, httpErrorFactories } from '#core/http/errors.ts'
import { toPagedResponse } from '#core/http/pagination.ts'
import { changeAndReadAccountWithRowLock } from '#features/people/accounts.ts'
import { requireNotNewMemberToInvite } from '#features/people/new-members.ts'
import { MAX_OPEN_INVITATIONS_PER_MEMBER, type OwnInvitationsResponse } from './invitation-contract.ts'
import * as invitations from './invitations.ts'

const messages = {
  adminsOnly: {
    en: 'Only admins make invitations at the moment.',
    ja: '今は、招待を作成できるのは管理者だけです。',
  },
  tooManyOpen: {
    en: `You have ${MAX_OPEN_INVITATIONS_PER_MEMBER} open invitations, which is the most. End one of them first.`,
    ja: `使える招待は${MAX_OPEN_INVITATIONS_PER_MEMBER}件までです。先にどれかを終了してください。`,
  },
}

/** Returns whether the settings let members make invitations, and let people register with them. */
function mayMembersInvite({ settings }: Pick<MemberContext, 'settings'>) {
  const { who_can_invite, who_can_join } = settings.current()
  return who_can_invite === 'members' && who_can_join !== 'closed'
}

/** Returns a page of the invitations that the viewer has made, the newest first. */
export async function listOwnInvitations(viewer: MemberContext, page: PaginationParameters) {
  const own = invitations.buildUnfilteredInvitationsQuery(viewer).where('created_by', '=', viewer.me.id)
  const rows = await limitQueryToKeysetPagePlusOneRow(own, 'invitations.id', page, 'desc').execute()
  const toBody = (shown: typeof rows): OwnInvitationsResponse => ({
    may_invite: mayMembersInvite(viewer),
    invitations: shown.map((row) => invitations.toInvitationFromRow(viewer, row)),
  })
  return toPagedResponse(rows, page.limit, (last) => ({ before: last.id }), toBody)
}

/**
 * Creates an invitation of a member. Throws 403 if the settings do not let members invite people, if the
 * member is suspended or new, or has as many open invitations as a member may have; invitations that the
 * member made as an admin do not count. The lock of the account keeps two requests at the same moment from
 * exceeding that number.
 */
export async function createOwnInvitation(
  context: MemberContext,
  invitation: { note: string | null; max_uses: number; days: number },
) {
  const { me } = context
  let created = { id: 0, code: '' }
  await changeAndReadAccountWithRowLock(context, me.id, async (tx, { suspended_at }) => {
    if (!mayMembersInvite(context) || suspended_at) throw new HttpError(403, messages.adminsOnly)
    await requireNotNewMemberToInvite(context, tx)
    const { open } = await tx
      .selectFrom('invitations')
      .select(({ fn }) => fn.countAll<number>().as('open'))
      .where('created_by', '=', me.id)
      .where('made_as', '=', 'member')
      .where(invitations.buildActiveInvitationExpression)
      .executeTakeFirstOrThrow()
    if (Number(open) >= MAX_OPEN_INVITATIONS_PER_MEMBER) throw new HttpError(403, messages.tooManyOpen)
    created = await invitations.insertInvitationAndReturnCode(tx, me, invitation, 'member')
  })
  return invitations.readCreatedInvitationWithCodeAndLink(context, created)
}

/**
 * Ends an invitation that the viewer has made, and returns it. Throws 404 if the viewer has made none with
 * this id.
 */
export async function endOwnInvitation(context: MemberContext, id: number) {
  await transaction(context.db, async (tx) => {
    const own = await tx
      .selectFrom('invitations')
      .select('id')
      .where('id', '=', id)
      .where('created_by', '=', context.me.id)
      .executeTakeFirst()
    if (!own) throw httpErrorFactories.notFound()
    await invitations.markInvitationAsEnded(tx, id)
  })
  return invitations.readInvitationByIdWithoutAccessCheck(context, id)
}

// ── Invitations in the export of a member's data ────────────────────────────────────

/**
 * The maximum number of a member's own invitations in the archive of the member's data. The archive has the
 * newest ones.
 */
const MAX_EXPORTED = 1000

/**
 * Returns the rows of the newest invitations that the viewer has made, for the archive of the viewer's data.
 */
export const listOwnInvitationsForExport = ({ db, me }: MemberContext) =>
  db
    .selectFrom('invitations')
    .select(['id', 'note', 'max_uses', 'uses', 'group_id', 'created_at', 'expires_at', 'ended_at'])
    .where('created_by', '=', me.id)
    .orderBy('id', 'desc')
    .limit(MAX_EXPORTED)
    .execute()

/**
 * Returns the time at which the viewer registered with an invitation, as an array of one row; the array is
 * empty if the viewer registered without one.
 */
export const listInvitationUsesByViewerForExport = ({ db, me }: MemberContext) =>
  db.selectFrom('invitation_uses').select('created_at').where('user_id', '=', me.id).execute()
