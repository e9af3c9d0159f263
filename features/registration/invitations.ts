import type { ExpressionBuilder } from 'kysely'
import * as auditLog from '#core/audit-log/audit-log.ts'
import type { AppContext, CurrentUser, MemberContext } from '#core/context.ts'
import { type DatabaseTables, hasMatchingRow, isoNow, type Tx } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { transaction } from '#core/database/transaction.ts'
import { fieldError, httpErrors } from '#core/http/errors.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import { hashToken } from '#core/secrets/crypto.ts'
import { normalizeCode, randomCode } from '#core/secrets/typed-codes.ts'
import { adminSince, isAdmin } from '#features/people/admins.ts'
import { insertKnown } from '#features/people/new-members.ts'
import * as people from '#features/people/read.ts'
import * as visibility from '#features/people/visibility.ts'
import { INVITATION_GROUPS, type Invitation } from './contract.ts'

const DAY = 24 * 3600 * 1000
const hashCode = (code: string) => hashToken(normalizeCode(code))

/** 422, the same for an unknown, used up, expired, ended or paused invitation. */
const invalid = () =>
  fieldError('invitation', {
    en: 'This invitation cannot be used: it has expired or was used. Please ask for a new one.',
    ja: 'この招待は使えません。期限が切れたか、使われたあとかもしれません。招待してくれた人に、新しい招待を頼んでください。',
  })

type Expressions = ExpressionBuilder<DatabaseTables, 'invitations'>
type SettingsContext = Pick<AppContext, 'settings'>

/** Made with the right of a member, who has an account and is not suspended. */
const isOfMember = (invitation: Expressions) =>
  invitation.and([
    invitation('created_by', 'is not', null),
    visibility.notSuspended('invitations.created_by'),
    invitation('made_as', '=', 'member'),
  ])

/**
 * The maker is the operator, has been an admin ever since, or made it as a member and the setting lets
 * members invite. Each use checks this, so nobody can use an invitation after its maker has lost the right.
 */
const mayMakerInvite = ({ settings }: SettingsContext) => {
  const mayMembers = settings.current().who_can_invite === 'members'
  return (invitation: Expressions) =>
    invitation.or([
      invitation('made_as', '=', 'operator'),
      adminSince('invitations.created_by', 'invitations.created_at'),
      ...(mayMembers ? [isOfMember(invitation)] : []),
    ])
}

/** Neither ended, nor expired, nor used up. */
export const isActive = (invitation: Expressions) =>
  invitation.and([
    invitation('ended_at', 'is', null),
    invitation('expires_at', '>', isoNow()),
    invitation('uses', '<', invitation.ref('max_uses')),
  ])

const isOpenWithCode = (context: SettingsContext, code: string) => (invitation: Expressions) =>
  invitation.and([
    invitation('code_hash', '=', hashCode(code)),
    isActive(invitation),
    mayMakerInvite(context)(invitation),
  ])

/** 422 otherwise. */
export async function requireUsable(context: Pick<AppContext, 'db' | 'settings'>, code: string) {
  const query = context.db.selectFrom('invitations').select('id').where(isOpenWithCode(context, code))
  if (!(await hasMatchingRow(query))) throw invalid()
}

/**
 * Holds the lock of the invitation's group, if it names one, so that the events of the group are sent in the
 * order of the commits.
 */
export async function withGroupLock<T>(
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

/** 422 if nobody can register with the code; of two transactions for the last use, only one succeeds. */
export async function consume(context: SettingsContext, tx: Tx, code: string) {
  const row = await tx
    .updateTable('invitations')
    .set((invitation) => ({ uses: invitation('uses', '+', 1) }))
    .where(isOpenWithCode(context, code))
    .returning(['id', 'group_id', 'created_by'])
    .executeTakeFirst()
  if (!row) throw invalid()
  return row
}

/**
 * Whom an admin invites is known. A listener adds the member to the group if it has room and the inviter
 * still belongs to it.
 */
export async function recordUse(
  { emit }: AppContext,
  tx: Tx,
  { id, group_id, created_by }: Awaited<ReturnType<typeof consume>>,
  user_id: number,
) {
  const use = { user_id, invitation_id: id, created_at: isoNow() }
  await tx.insertInto('invitation_uses').values(use).execute()
  if (created_by !== null && (await isAdmin(tx, created_by))) await insertKnown(tx, user_id, created_by)
  if (group_id !== null && created_by !== null)
    await emit(tx, 'invitation.used', { user_id, group_id, inviter_id: created_by })
}

/**
 * Without visibility rules: only admins and the maker read the rows, and nobody hides from admins by a block.
 */
export const allRows = (viewer: MemberContext) =>
  viewer.db
    .selectFrom('invitations')
    .leftJoin(people.unfiltered(viewer).as('creator'), 'creator.id', 'invitations.created_by')
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

type Row = Awaited<ReturnType<ReturnType<typeof allRows>['execute']>>[number]

/** `expires_at` is the time when somebody ended it, or otherwise when it expires. */
export function fromRow({ media }: AppContext, row: Row): Invitation {
  const { creator_id, name, image, shared_handle, ended_at, may_maker_invite, ...invitation } = row
  const { uses, max_uses } = invitation
  const expires_at = ended_at ?? invitation.expires_at
  const hasPlace = uses < max_uses && expires_at > isoNow()
  const creator = { id: creator_id!, name: name!, image, shared_handle }
  return {
    ...invitation,
    expires_at,
    created_by: creator_id === null ? null : people.fromRow(media, creator),
    is_used_up: uses >= max_uses,
    is_open: hasPlace && Boolean(may_maker_invite),
    is_paused: hasPlace && !may_maker_invite,
  }
}

/** 404 if there is none. The caller checks who may read it. */
export async function get(viewer: MemberContext, id: number) {
  const row = await allRows(viewer).where('invitations.id', '=', id).executeTakeFirst()
  if (!row) throw httpErrors.notFound()
  return fromRow(viewer, row)
}

/** The newest first. */
export async function list(viewer: MemberContext, page: PageParams) {
  const rows = await pageOf(allRows(viewer), 'invitations.id', page, 'desc').execute()
  const toBody = (shown: Row[]) => shown.map((row) => fromRow(viewer, row))
  return paged(rows, page.limit, (last) => ({ before: last.id }), toBody)
}

const recordAdminAction = (tx: Tx, { id: actor_id }: CurrentUser, action: string, subject_id: number) =>
  auditLog.record(tx, { action, subject: 'invitation', subject_id, actor_id })

export interface NewInvitation {
  note: string | null
  max_uses: number
  group_id?: number | undefined
  days: number
}

/** The maker is null for the operator. The database has only the hash of the code. */
export async function insert(
  tx: Tx,
  maker: CurrentUser | null,
  { note, max_uses, group_id, days }: NewInvitation,
  made_as: 'admin' | 'member' | 'operator',
) {
  // 140 bits, so nobody can guess it.
  const code = randomCode(INVITATION_GROUPS)
  const { id, expires_at } = await tx
    .insertInto('invitations')
    .values({
      code_hash: hashCode(code),
      note,
      max_uses,
      created_by: maker?.id ?? null,
      made_as,
      group_id: group_id ?? null,
      created_at: isoNow(),
      expires_at: new Date(Date.now() + days * DAY).toISOString(),
      ended_at: null,
    })
    .returning(['id', 'expires_at'])
    .executeTakeFirstOrThrow()
  return { id, code, expires_at }
}

/** The code is in the fragment. */
export const link = ({ origin }: { origin: string }, code: string) => `${origin}/register#${code}`

export const getCreated = async (context: MemberContext, { id, code }: { id: number; code: string }) => ({
  invitation: await get(context, id),
  code,
  link: link(context.publicSite, code),
})

/** 403 if it names a group to which the admin does not belong. */
export async function create(context: MemberContext, invitation: NewInvitation) {
  const { db, me, emit } = context
  const { group_id } = invitation
  const created = await transaction(db, async (tx) => {
    if (group_id !== undefined) await emit(tx, 'invitation.group_named', { group_id, actor_id: me.id })
    const created = await insert(tx, me, invitation, 'admin')
    await recordAdminAction(tx, me, 'invitation_created', created.id)
    return created
  })
  return getCreated(context, created)
}

/** False if it has ended or expired already, or does not exist. */
export async function markEnded(tx: Tx, id: number) {
  const now = isoNow()
  const { numUpdatedRows } = await tx
    .updateTable('invitations')
    .set({ ended_at: now })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0
}

/** Does nothing if it has expired. 404 if there is none. */
export async function end(context: MemberContext, id: number) {
  await transaction(context.db, async (tx) => {
    if (await markEnded(tx, id)) await recordAdminAction(tx, context.me, 'invitation_ended', id)
  })
  return get(context, id)
}
