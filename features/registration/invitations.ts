import type { AppContext, MemberContext } from '#core/context.ts'
import type { PageParameters } from '#core/contract.ts'
import { hashToken } from '#core/crypto.ts'
import { currentIsoTime, type Db, hasMatchingRow, type Tx } from '#core/database/database.ts'
import { limitToKeysetPage } from '#core/database/keyset.ts'
import { transaction } from '#core/database/transaction.ts'
import { httpErrors, invalidFieldError } from '#core/http/errors.ts'
import { toPagedResponse } from '#core/http/pagination.ts'
import { createCode, normalizeCode } from '#core/typed-codes.ts'
import { listedUsersQuery, personColumnsQuery, toPublicPerson, toUserPage } from '#features/people/read.ts'
import type { Invitation } from './invitation-contract.ts'

const DAY = 24 * 3600 * 1000
/** Seven groups of four characters have 140 bits, so a code cannot be guessed. */
const CODE_GROUPS = 7

const hashInvitationCode = (code: string) => hashToken(normalizeCode(code))

/**
 * Creates the error 422 for a code that is unknown, used up, expired or ended: one answer for all of them.
 */
const invalidInvitationError = () =>
  invalidFieldError('invitation', {
    en: 'This invitation is not valid (any more). Please ask for a new one.',
    ja: 'この招待は無効です（期限が切れたか、使用済みの可能性があります）。新しい招待をもらってください。',
  })

// ── Registration ────────────────────────────────────────────────────────────

/** Query: the invitation with this code, if somebody can register with it now. */
const openInvitationQuery = (db: Db, code: string) =>
  db
    .selectFrom('invitations')
    .select('id')
    .where('code_hash', '=', hashInvitationCode(code))
    .where('ended_at', 'is', null)
    .where('expires_at', '>', currentIsoTime())
    .where((row) => row('uses', '<', row.ref('max_uses')))

/** Throws 422 if nobody can register with this code at the moment. */
export async function requireOpenInvitation(db: Db, code: string) {
  if (!(await hasMatchingRow(openInvitationQuery(db, code)))) throw invalidInvitationError()
}

/**
 * Counts a use of the invitation with this code, in the transaction of the registration. Returns its id.
 * Throws 422 if nobody can register with it. Of two transactions with the last use, one gets the error.
 */
export async function consumeInvitation(tx: Tx, code: string) {
  const row = await tx
    .updateTable('invitations')
    .set((invitation) => ({ uses: invitation('uses', '+', 1) }))
    .where('code_hash', '=', hashInvitationCode(code))
    .where('ended_at', 'is', null)
    .where('expires_at', '>', currentIsoTime())
    .where((invitation) => invitation('uses', '<', invitation.ref('max_uses')))
    .returning('id')
    .executeTakeFirst()
  if (!row) throw invalidInvitationError()
  return row.id
}

/** Records which invitation a new member has used. */
export const recordInvitationUse = (tx: Tx, invitation_id: number, user_id: number) =>
  tx.insertInto('invitation_uses').values({ user_id, invitation_id, created_at: currentIsoTime() }).execute()

// ── Administration ──────────────────────────────────────────────────────────

const invitationsQuery = (viewer: MemberContext) =>
  viewer.db
    .selectFrom('invitations')
    .leftJoin(personColumnsQuery(viewer).as('creator'), 'creator.id', 'invitations.created_by')
    .select(['invitations.id', 'note', 'max_uses', 'uses', 'created_at', 'expires_at', 'ended_at'])
    .select(['creator.id as creator_id', 'creator.name', 'creator.image', 'creator.shared_handle'])

type Row = Awaited<ReturnType<ReturnType<typeof invitationsQuery>['execute']>>[number]

/** `expires_at` is the time at which it ended, if an admin has ended it early. */
function toInvitation({ media }: AppContext, row: Row): Invitation {
  const { creator_id, name, image, shared_handle, ended_at, ...invitation } = row
  const { uses, max_uses } = invitation
  const expires_at = ended_at ?? invitation.expires_at
  const creator = { id: creator_id!, name: name!, image, shared_handle }
  return {
    ...invitation,
    expires_at,
    created_by: creator_id === null ? null : toPublicPerson(media, creator),
    is_open: uses < max_uses && expires_at > currentIsoTime(),
  }
}

/** Lists all invitations, the newest first. */
export async function listInvitations(viewer: MemberContext, page: PageParameters) {
  const rows = await limitToKeysetPage(invitationsQuery(viewer), 'invitations.id', page, 'desc').execute()
  const toBody = (shown: Row[]) => shown.map((row) => toInvitation(viewer, row))
  return toPagedResponse(rows, page.limit, (last) => ({ before: last.id }), toBody)
}

async function readInvitation(viewer: MemberContext, id: number) {
  const row = await invitationsQuery(viewer).where('invitations.id', '=', id).executeTakeFirst()
  if (!row) throw httpErrors.notFound()
  return toInvitation(viewer, row)
}

interface NewInvitation {
  note: string | null
  max_uses: number
  days: number
}

/** Creates an invitation. Returns it with its code, which is not stored. */
export async function createInvitation(context: MemberContext, { note, max_uses, days }: NewInvitation) {
  const { db, me, publicSite } = context
  const code = createCode(CODE_GROUPS)
  const { id } = await transaction(db, (tx) =>
    tx
      .insertInto('invitations')
      .values({
        code_hash: hashInvitationCode(code),
        note,
        max_uses,
        created_by: me.id,
        created_at: currentIsoTime(),
        expires_at: new Date(Date.now() + days * DAY).toISOString(),
        ended_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  const link = `${publicSite.origin}/register#${code}`
  return { invitation: await readInvitation(context, id), code, link }
}

/** Ends an invitation now, unless it has expired. Throws 404 if there is none. */
export async function endInvitation(context: MemberContext, id: number) {
  const now = currentIsoTime()
  await transaction(context.db, (tx) =>
    tx
      .updateTable('invitations')
      .set({ ended_at: now })
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .where('expires_at', '>', now)
      .execute(),
  )
  return readInvitation(context, id)
}

/** Lists the members who have registered with an invitation, by id. Throws 404 if there is none. */
export async function listInvitedMembers(
  viewer: MemberContext,
  { id, ...page }: PageParameters & { id: number },
) {
  await readInvitation(viewer, id)
  const found = listedUsersQuery(viewer)
    .innerJoin('invitation_uses', 'invitation_uses.user_id', 'users.id')
    .where('invitation_uses.invitation_id', '=', id)
  return toUserPage(viewer, await limitToKeysetPage(found, 'invitation_uses.user_id', page).execute(), page)
}

// ── A member's own data ─────────────────────────────────────────────────────

/** The maximum number of own invitations in the archive of a member's data, the newest first. */
const MAX_EXPORTED = 1000

/** Lists the invitations that the viewer has made. */
export const listOwnInvitations = ({ db, me }: MemberContext) =>
  db
    .selectFrom('invitations')
    .select(['id', 'note', 'max_uses', 'uses', 'created_at', 'expires_at'])
    .where('created_by', '=', me.id)
    .orderBy('id', 'desc')
    .limit(MAX_EXPORTED)
    .execute()

/** Reads when the viewer registered with an invitation: one row or none. */
export const readInvitationUse = ({ db, me }: MemberContext) =>
  db.selectFrom('invitation_uses').select('created_at').where('user_id', '=', me.id).execute()
