import type { MemberContext } from '#core/context.ts'
import { pageOf } from '#core/database/keyset.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError, httpErrors } from '#core/http/errors.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import * as accounts from '#features/people/accounts.ts'
import { requireNotNewMember } from '#features/people/new-members.ts'
import { type InvitationsPage, MAX_OPEN_INVITATIONS } from './contract.ts'
import * as invitations from './invitations.ts'

const messages = {
  adminsOnly: {
    en: 'Only admins make invitations at the moment.',
    ja: '今は、招待を作成できるのは管理者だけです。',
  },
  tooManyOpen: {
    en: `You have ${MAX_OPEN_INVITATIONS} open invitations, which is the most. End one of them first.`,
    ja: `使える招待は${MAX_OPEN_INVITATIONS}件までです。先にどれかを無効にしてください。`,
  },
}

/** Also false if nobody can register with them. */
function mayMembersInvite({ settings }: Pick<MemberContext, 'settings'>) {
  const { who_can_invite, who_can_join } = settings.current()
  return who_can_invite === 'members' && who_can_join !== 'closed'
}

/** The newest first. */
export async function list(viewer: MemberContext, page: PageParams) {
  const own = invitations.allRows(viewer).where('created_by', '=', viewer.me.id)
  const rows = await pageOf(own, 'invitations.id', page, 'desc').execute()
  const toBody = (shown: typeof rows): InvitationsPage => ({
    may_invite: mayMembersInvite(viewer),
    invitations: shown.map((row) => invitations.fromRow(viewer, row)),
  })
  return paged(rows, page.limit, (last) => ({ before: last.id }), toBody)
}

/**
 * 403 if the settings do not let members invite, or the member is suspended, new, or has too many open ones;
 * those made as an admin do not count. The lock of the account keeps two requests at once within that number.
 */
export async function create(
  context: MemberContext,
  invitation: { note: string | null; max_uses: number; days: number },
) {
  const { me } = context
  let created = { id: 0, code: '' }
  await accounts.change(context, me.id, async (tx, { suspended_at }) => {
    if (!mayMembersInvite(context) || suspended_at) throw new HttpError(403, messages.adminsOnly)
    await requireNotNewMember(context, tx)
    const { open } = await tx
      .selectFrom('invitations')
      .select(({ fn }) => fn.countAll<number>().as('open'))
      .where('created_by', '=', me.id)
      .where('made_as', '=', 'member')
      .where(invitations.isActive)
      .executeTakeFirstOrThrow()
    if (Number(open) >= MAX_OPEN_INVITATIONS) throw new HttpError(403, messages.tooManyOpen)
    created = await invitations.insert(tx, me, invitation, 'member')
  })
  return invitations.getCreated(context, created)
}

/** 404 if the viewer has made none with this id. */
export async function end(context: MemberContext, id: number) {
  await transaction(context.db, async (tx) => {
    const own = await tx
      .selectFrom('invitations')
      .select('id')
      .where('id', '=', id)
      .where('created_by', '=', context.me.id)
      .executeTakeFirst()
    if (!own) throw httpErrors.notFound()
    await invitations.markEnded(tx, id)
  })
  return invitations.get(context, id)
}

/** The newest ones. */
const MAX_EXPORTED = 1000

export const listForExport = ({ db, me }: MemberContext) =>
  db
    .selectFrom('invitations')
    .select(['id', 'note', 'max_uses', 'uses', 'group_id', 'created_at', 'expires_at', 'ended_at'])
    .where('created_by', '=', me.id)
    .orderBy('id', 'desc')
    .limit(MAX_EXPORTED)
    .execute()

/** One row, or none without an invitation. */
export const listUses = ({ db, me }: MemberContext) =>
  db.selectFrom('invitation_uses').select('created_at').where('user_id', '=', me.id).execute()
