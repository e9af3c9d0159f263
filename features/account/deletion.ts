import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { type Db, isoNow, isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { fieldError } from '#core/http/errors.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import * as accounts from '#features/people/accounts.ts'
import { deleteMember } from '#features/people/deletion.ts'
import * as people from '#features/people/read.ts'
import * as securityLog from '#features/people/security-log.ts'
import type { AccountDeletion, MessagesChoice } from './contract.ts'
import { type DeletionMailContext, sendDeletionMail } from './deletion-mails.ts'

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    /** `due_at` names the request: the member may have cancelled that one and made a later one. */
    delete_account: { user_id: number; due_at: string }
  }
}

const DAY = 24 * 3600_000
/** In ms. */
const DELETION_DELAY = 7 * DAY
/** In ms; then the job tries again to delete the account of a last admin. */
const LAST_ADMIN_DELAY = DAY

const isoTimeIn = (time: number) => new Date(Date.now() + time).toISOString()

interface DeletionRequest {
  user_id: number
  messages: MessagesChoice
  /** The member or an admin; null for the operator. */
  requested_by: number | null
  lang: Language
}

/** Tells the owner by mail. 422 if it is requested already, or no other admin would remain. */
export async function request(
  context: DeletionMailContext,
  tx: Tx,
  request: DeletionRequest,
): Promise<AccountDeletion> {
  const { user_id, messages, requested_by, lang } = request
  await requireOtherAdmin(tx, user_id)
  const times = { created_at: isoNow(), due_at: isoTimeIn(DELETION_DELAY) }
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('account_deletions')
    .values({ ...request, ...times })
    .onConflict((c) => c.doNothing())
    .executeTakeFirstOrThrow()
  if (!numInsertedOrUpdatedRows) throw alreadyRequested()
  const by_admin = requested_by !== user_id
  await securityLog.record(tx, user_id, 'deletion_requested', {
    actor_id: by_admin ? requested_by : null,
    by_operator: requested_by === null,
  })
  await enqueueDeletion(tx, user_id, times.due_at)
  const recipient = await people.findRecipient(tx, user_id)
  const kind = by_admin ? 'requestedByAdmin' : 'requested'
  await sendDeletionMail(context, tx, { user_id, recipient, lang, kind, due_at: times.due_at })
  return { messages, by_admin, ...times }
}

/** 422 otherwise. */
async function requireOtherAdmin(tx: Tx, user_id: number) {
  if (!(await leavesAdmin(tx, user_id))) throw lastAdmin()
}

/** Another admin can log in and will not be deleted, or this account is no admin's. Locks the admins. */
export async function leavesAdmin(tx: Tx, user_id: number) {
  const admins = await accounts.lockAdmins(tx)
  if (!admins.includes(user_id)) return true
  const leaving = await byAccount(tx, admins)
  return admins.some((id) => id !== user_id && !leaving.has(id))
}

const enqueueDeletion = (tx: Tx, user_id: number, due_at: string) =>
  enqueueJob(tx, 'delete_account', { user_id, due_at }, { runAt: new Date(due_at) })

const lastAdmin = () =>
  fieldError('messages', {
    en: 'You are the last admin. Make somebody else an admin first.',
    ja: 'あなたは最後の管理者です。先にほかの人を管理者にしてください。',
  })

const alreadyRequested = () =>
  fieldError('messages', {
    en: 'The deletion of this account is already requested.',
    ja: 'このアカウントは、すでに削除の手続き中です。',
  })

/** Undefined if there was none. */
export async function cancel(tx: Tx, user_id: number, actor: number) {
  const deletion = await tx
    .deleteFrom('account_deletions')
    .where('user_id', '=', user_id)
    .returning(['created_at', 'due_at', 'lang'])
    .executeTakeFirst()
  if (deletion)
    await securityLog.record(tx, user_id, 'deletion_cancelled', {
      actor_id: actor === user_id ? null : actor,
    })
  return deletion
}

/** For a request by the member, or by a thief of the account. */
export async function cancelOwn(tx: Tx, user_id: number) {
  const isOwnRequest = (await byAccount(tx, [user_id])).get(user_id)?.by_admin === false
  if (isOwnRequest) await cancel(tx, user_id, user_id)
}

/** Accounts without a request have no entry. */
export async function byAccount(db: Db, ids: readonly number[]) {
  if (!ids.length) return new Map<number, AccountDeletion>()
  const rows = await db
    .selectFrom('account_deletions')
    .select(['user_id', 'messages', 'requested_by', 'created_at', 'due_at'])
    .where('user_id', 'in', ids)
    .execute()
  return new Map(
    rows.map(({ user_id, requested_by, ...row }): [number, AccountDeletion] => [
      user_id,
      { ...row, by_admin: requested_by !== user_id },
    ]),
  )
}

/**
 * Does nothing if the request with this `due_at` was cancelled. The account of the last admin stays, and the
 * job runs again a day later.
 */
export const run = (context: AppContext, { user_id, due_at }: { user_id: number; due_at: string }) =>
  transaction(context.db, async (tx) => {
    const deletion = await tx
      .selectFrom('account_deletions')
      .select(['messages', 'lang'])
      .where('user_id', '=', user_id)
      .where('due_at', '=', due_at)
      .$if(isPostgres(tx), (query) => query.forUpdate())
      .executeTakeFirst()
    if (!deletion) return
    const [admin, ...otherAdmins] = await accounts.lockAdmins(tx)
    if (admin === user_id && !otherAdmins.length) return postpone(tx, user_id)
    const recipient = await people.findRecipient(tx, user_id)
    await deleteMember(context, tx, { id: user_id, keep_messages: deletion.messages === 'keep' })
    const mail = { user_id: null, recipient, lang: deletion.lang, kind: 'done', due_at } as const
    await sendDeletionMail(context, tx, mail)
  })

async function postpone(tx: Tx, user_id: number) {
  const due_at = isoTimeIn(LAST_ADMIN_DELAY)
  await tx.updateTable('account_deletions').set({ due_at }).where('user_id', '=', user_id).execute()
  await enqueueDeletion(tx, user_id, due_at)
}
