import type { ExpressionBuilder } from 'kysely'
import { recordAuditLogEntry } from '#core/audit-log/audit-log.ts'
import type { AppContext, CurrentUser, MemberContext } from '#core/context.ts'
import type { PaginationParameters } from '#core/contract.ts'
import { hashToken } from '#core/crypto.ts'
import { currentIsoTime, type DatabaseTables, hasMatchingRow, type Tx } from '#core/database/database.ts'
import { limitQueryToKeysetPagePlusOneRow } from '#core/database/keyset.ts'
import { transaction } from '#core/database/transaction.ts'
import { createInvalidFieldError, httpErrorFactories } from '#core/http/errors.ts'
import { toPagedResponse } from '#core/http/pagination.ts'
import { createRandomBase32Code, normalizeTypedCode } from '#core/typed-codes.ts'
import { buildContinuouslyAdminSinceCondition } from '#features/people/admins.ts'
import { buildUnfilteredPersonRowsQuery, toPersonFromRow } from '#features/people/read.ts'
import { buildNotSuspendedCondition } from '#features/people/visibility.ts'
import type { Invitation } from './invitation-contract.ts'

const DAY = 24 * 3600 * 1000
/**
 * The number of groups of characters in an invitation code. Seven groups of four characters have 140 bits,
 * so nobody can guess a code.
 */
const CODE_GROUPS = 7

const hashInvitationCode = (code: string) => hashToken(normalizeTypedCode(code))

/**
 * Creates the 422 error for an invitation code that is unknown, used up, expired, ended or paused. The error
 * is the same for all of these reasons.
 */
const createInvalidInvitationError = () =>
  createInvalidFieldError('invitation', {
    en: 'This invitation is not valid (any more). Please ask for a new one.',
    ja: 'この招待は無効です（期限が切れたか、使用済みの可能性があります）。新しい招待をもらってください。',
  })

// ── Use of an invitation at the registration ────────────────────────────────

type InvitationExpressions = ExpressionBuilder<DatabaseTables, 'invitations'>
type SettingsContext = Pick<AppContext, 'settings'>

/**
 * Returns the SQL condition that the invitation was made with the right of a member, and that its maker has
 * an account and is not suspended.
 */
const isOfMember = (invitation: InvitationExpressions) =>
  invitation.and([
    invitation('created_by', 'is not', null),
    buildNotSuspendedCondition('invitations.created_by'),
    invitation('made_as', '=', 'member'),
  ])

/**
 * Returns a function that builds the SQL condition that the maker of an invitation may invite people now. The
 * maker is the operator, or has been an admin ever since the invitation was made, or made it as a member and
 * the setting lets members invite. Each use checks this, so nobody can use an invitation after its maker has
 * lost the right with which it was made.
 */
const mayMakerInvite = ({ settings }: SettingsContext) => {
  const mayMembers = settings.current().who_can_invite === 'members'
  return (invitation: InvitationExpressions) =>
    invitation.or([
      invitation('made_as', '=', 'operator'),
      buildContinuouslyAdminSinceCondition('invitations.created_by', 'invitations.created_at'),
      ...(mayMembers ? [isOfMember(invitation)] : []),
    ])
}

/**
 * Returns the SQL condition that an invitation has not been ended, has not expired and has not been used up.
 */
export const buildActiveInvitationExpression = (invitation: InvitationExpressions) =>
  invitation.and([
    invitation('ended_at', 'is', null),
    invitation('expires_at', '>', currentIsoTime()),
    invitation('uses', '<', invitation.ref('max_uses')),
  ])

/**
 * Returns a function that builds the SQL condition that an invitation has this code, and that somebody can
 * register with it now.
 */
const isOpenWithCode = (context: SettingsContext, code: string) => (invitation: InvitationExpressions) =>
  invitation.and([
    invitation('code_hash', '=', hashInvitationCode(code)),
    buildActiveInvitationExpression(invitation),
    mayMakerInvite(context)(invitation),
  ])

/** Throws 422 if nobody can register with this invitation code at the moment. */
export async function requireUsableInvitationCode(
  context: Pick<AppContext, 'db' | 'settings'>,
  code: string,
) {
  const query = context.db.selectFrom('invitations').select('id').where(isOpenWithCode(context, code))
  if (!(await hasMatchingRow(query))) throw createInvalidInvitationError()
}

/**
 * Calls `register`. If the invitation with this code names a group, holds the lock of that group meanwhile,
 * so that the events of the group are sent in the order of the commits. Returns the result of `register`.
 */
export async function withGroupLockOfInvitation<T>(
  { db, groups, withLock, settings }: AppContext,
  code: string | null,
  register: () => Promise<T>,
) {
  if (code === null) return register()
  const row = await db
    .selectFrom('invitations')
    .select('group_id')
    .where(isOpenWithCode({ settings }, code))
    .executeTakeFirst()
  return row && row.group_id !== null ? withLock(groups.lockKeyOf(row.group_id), register) : register()
}

/**
 * Counts one use of the invitation with this code, in the transaction of the registration. Returns the id,
 * the group and the maker of the invitation. Throws 422 if nobody can register with the code. If two
 * transactions try the last use at the same time, only one succeeds.
 */
export async function consumeOneUseOfInvitation(context: SettingsContext, tx: Tx, code: string) {
  const row = await tx
    .updateTable('invitations')
    .set((invitation) => ({ uses: invitation('uses', '+', 1) }))
    .where(isOpenWithCode(context, code))
    .returning(['id', 'group_id', 'created_by'])
    .executeTakeFirst()
  if (!row) throw createInvalidInvitationError()
  return row
}

/**
 * Stores which invitation a new member has used. If the invitation names a group, emits an event, whose
 * listener adds the member to the group if the group has room and the inviter still belongs to it.
 */
export async function recordInvitationUse(
  { emit }: AppContext,
  tx: Tx,
  { id, group_id, created_by }: Awaited<ReturnType<typeof consumeOneUseOfInvitation>>,
  user_id: number,
) {
  const use = { user_id, invitation_id: id, created_at: currentIsoTime() }
  await tx.insertInto('invitation_uses').values(use).execute()
  if (group_id !== null && created_by !== null)
    await emit(tx, 'invitation.used', { user_id, group_id, inviter_id: created_by })
}

// ── Reading of invitations ──────────────────────────────────────────────────

/**
 * Returns the SQL query for all invitations with their makers. The query applies no visibility rules, because
 * only admins and the maker read the rows, and nobody hides from admins by a block.
 */
export const buildUnfilteredInvitationsQuery = (viewer: MemberContext) =>
  viewer.db
    .selectFrom('invitations')
    .leftJoin(buildUnfilteredPersonRowsQuery(viewer).as('creator'), 'creator.id', 'invitations.created_by')
    .select([
      'invitations.id',
      'note',
      'max_uses',
      'uses',
      'group_id',
      'created_at',
      'expires_at',
      'ended_at',
    ])
    .select((invitation) => mayMakerInvite(viewer)(invitation).as('may_maker_invite'))
    .select(['creator.id as creator_id', 'creator.name', 'creator.image', 'creator.shared_handle'])

type Row = Awaited<ReturnType<ReturnType<typeof buildUnfilteredInvitationsQuery>['execute']>>[number]

/**
 * Converts a database row to an invitation for a response. `expires_at` is the time at which somebody ended
 * the invitation, or otherwise the time at which it expires.
 */
export function toInvitationFromRow({ media }: AppContext, row: Row): Invitation {
  const { creator_id, name, image, shared_handle, ended_at, may_maker_invite, ...invitation } = row
  const { uses, max_uses } = invitation
  const expires_at = ended_at ?? invitation.expires_at
  const hasPlace = uses < max_uses && expires_at > currentIsoTime()
  const creator = { id: creator_id!, name: name!, image, shared_handle }
  return {
    ...invitation,
    expires_at,
    created_by: creator_id === null ? null : toPersonFromRow(media, creator),
    is_open: hasPlace && Boolean(may_maker_invite),
    is_paused: hasPlace && !may_maker_invite,
  }
}

/**
 * Reads an invitation. Throws 404 if there is no invitation with this id. Does not check who may read the
 * invitation; the caller does.
 */
export async function readInvitationByIdWithoutAccessCheck(viewer: MemberContext, id: number) {
  const row = await buildUnfilteredInvitationsQuery(viewer)
    .where('invitations.id', '=', id)
    .executeTakeFirst()
  if (!row) throw httpErrorFactories.notFound()
  return toInvitationFromRow(viewer, row)
}

// ── Listing, creating and ending invitations ────────────────────────────────

/** Returns a page of all invitations of the community, the newest first. */
export async function listInvitationsOfAllMembers(viewer: MemberContext, page: PaginationParameters) {
  const rows = await limitQueryToKeysetPagePlusOneRow(
    buildUnfilteredInvitationsQuery(viewer),
    'invitations.id',
    page,
    'desc',
  ).execute()
  const toBody = (shown: Row[]) => shown.map((row) => toInvitationFromRow(viewer, row))
  return toPagedResponse(rows, page.limit, (last) => ({ before: last.id }), toBody)
}

/** Records in the audit log that an admin has created or ended an invitation. */
const recordAdminAction = (tx: Tx, { id: actor_id }: CurrentUser, action: string, subject_id: number) =>
  recordAuditLogEntry(tx, { action, subject: 'invitation', subject_id, actor_id })

export interface NewInvitation {
  note: string | null
  max_uses: number
  group_id?: number | undefined
  days: number
}

/**
 * Stores a new invitation that its maker (null: the operator) makes with the right `made_as`. Returns its id,
 * its code and its end; the database has only the hash of the code.
 */
export async function insertInvitationAndReturnCode(
  tx: Tx,
  maker: CurrentUser | null,
  { note, max_uses, group_id, days }: NewInvitation,
  made_as: 'admin' | 'member' | 'operator',
) {
  const code = createRandomBase32Code(CODE_GROUPS)
  const { id, expires_at } = await tx
    .insertInto('invitations')
    .values({
      code_hash: hashInvitationCode(code),
      note,
      max_uses,
      created_by: maker?.id ?? null,
      made_as,
      group_id: group_id ?? null,
      created_at: currentIsoTime(),
      expires_at: new Date(Date.now() + days * DAY).toISOString(),
      ended_at: null,
    })
    .returning(['id', 'expires_at'])
    .executeTakeFirstOrThrow()
  return { id, code, expires_at }
}

/** Returns the address of the registration page, with the code of an invitation in its fragment. */
export const createInvitationLink = ({ origin }: { origin: string }, code: string) =>
  `${origin}/register#${code}`

/** Reads an invitation that was just created, and returns it with its code and its link. */
export const readCreatedInvitationWithCodeAndLink = async (
  context: MemberContext,
  { id, code }: { id: number; code: string },
) => ({
  invitation: await readInvitationByIdWithoutAccessCheck(context, id),
  code,
  link: createInvitationLink(context.publicSite, code),
})

/**
 * Creates an invitation as an admin. Returns the invitation with its code, which is not stored, and its link.
 * Throws 403 if the invitation names a group to which the admin does not belong.
 */
export async function createInvitationAndRecordAdminAction(
  context: MemberContext,
  invitation: NewInvitation,
) {
  const { db, me, emit } = context
  const { group_id } = invitation
  const created = await transaction(db, async (tx) => {
    if (group_id !== undefined) await emit(tx, 'invitation.group_named', { group_id, actor_id: me.id })
    const created = await insertInvitationAndReturnCode(tx, me, invitation, 'admin')
    await recordAdminAction(tx, me, 'invitation_created', created.id)
    return created
  })
  return readCreatedInvitationWithCodeAndLink(context, created)
}

/**
 * Ends an invitation now. Returns false if the invitation has ended or expired already, or does not exist.
 */
export async function markInvitationAsEnded(tx: Tx, id: number) {
  const now = currentIsoTime()
  const { numUpdatedRows } = await tx
    .updateTable('invitations')
    .set({ ended_at: now })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0
}

/**
 * Ends an invitation now as an admin, unless it has expired, and returns it. Throws 404 if there is no such
 * invitation.
 */
export async function endInvitationAndRecordAdminAction(context: MemberContext, id: number) {
  await transaction(context.db, async (tx) => {
    if (await markInvitationAsEnded(tx, id)) await recordAdminAction(tx, context.me, 'invitation_ended', id)
  })
  return readInvitationByIdWithoutAccessCheck(context, id)
}
