import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { currentIsoTime, type Db, isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { createInvalidFieldError } from '#core/http/errors.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import { lockActiveAdminRowsAndListIds } from '#features/people/accounts.ts'
import { deleteMember } from '#features/people/deletion.ts'
import { readNameHandleEmailAndVerifiedTime } from '#features/people/read.ts'
import { recordSecurityEvent } from '#features/people/security-log.ts'
import type { AccountDeletionRequest, KeepOrDeleteMessages } from './deletion-contract.ts'
import { type DeletionMailContext, enqueueAccountDeletionMail } from './deletion-mails.ts'

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    /**
     * The payload of the job that deletes an account. `due_at` says for which request the job runs, because
     * the member may have cancelled that request and made a later one.
     */
    delete_account: { user_id: number; due_at: string }
  }
}

const DAY = 24 * 3600_000
/** The time between the request and the deletion of an account, in ms. */
const DELETION_DELAY = 7 * DAY
/**
 * The time in ms after which the job tries the deletion again, if it could not delete the account because the
 * account belongs to the last admin.
 */
const LAST_ADMIN_DELAY = DAY

const isoTimeIn = (time: number) => new Date(Date.now() + time).toISOString()

interface DeletionRequest {
  user_id: number
  messages: KeepOrDeleteMessages
  /** The id of the person who requests the deletion: the member, or an admin; null for the operator. */
  requested_by: number | null
  lang: Language
}

/**
 * Requests the deletion of an account, and tells the owner by mail. Returns the request. Throws 422 if the
 * deletion is requested already, or if the community would have no other admin.
 */
export async function requestAccountDeletion(
  context: DeletionMailContext,
  tx: Tx,
  request: DeletionRequest,
): Promise<AccountDeletionRequest> {
  const { user_id, messages, requested_by, lang } = request
  await requireOtherAdmin(tx, user_id)
  const times = { created_at: currentIsoTime(), due_at: isoTimeIn(DELETION_DELAY) }
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('account_deletions')
    .values({ ...request, ...times })
    .onConflict((c) => c.doNothing())
    .executeTakeFirstOrThrow()
  if (!numInsertedOrUpdatedRows) throw createAlreadyRequestedError()
  const by_admin = requested_by !== user_id
  await recordSecurityEvent(tx, user_id, 'deletion_requested', {
    actor_id: by_admin ? requested_by : null,
    by_operator: requested_by === null,
  })
  await enqueueDeletion(tx, user_id, times.due_at)
  const recipient = await readNameHandleEmailAndVerifiedTime(tx, user_id)
  const kind = by_admin ? 'requestedByAdmin' : 'requested'
  await enqueueAccountDeletionMail(context, tx, { user_id, recipient, lang, kind, due_at: times.due_at })
  return { messages, by_admin, ...times }
}

/** Throws 422 if the deletion of this account would leave the community without an admin. */
async function requireOtherAdmin(tx: Tx, user_id: number) {
  if (!(await wouldCommunityHaveAdminAfterAccountDeletion(tx, user_id))) throw createLastAdminError()
}

/**
 * Returns whether the community still has an admin after this account is deleted: another admin who can log
 * in and whose account will not be deleted. Also true if the account does not belong to an admin. Locks the
 * rows of the admins until the commit.
 */
export async function wouldCommunityHaveAdminAfterAccountDeletion(tx: Tx, user_id: number) {
  const admins = await lockActiveAdminRowsAndListIds(tx)
  if (!admins.includes(user_id)) return true
  const leaving = await readAccountDeletionRequestsByAccountId(tx, admins)
  return admins.some((id) => id !== user_id && !leaving.has(id))
}

const enqueueDeletion = (tx: Tx, user_id: number, due_at: string) =>
  enqueueJob(tx, 'delete_account', { user_id, due_at }, { runAt: new Date(due_at) })

const createLastAdminError = () =>
  createInvalidFieldError('messages', {
    en: 'You are the last admin. Make somebody else an admin first.',
    ja: 'あなたは最後の管理者です。先にほかの人を管理者にしてください。',
  })

const createAlreadyRequestedError = () =>
  createInvalidFieldError('messages', {
    en: 'The deletion of this account is already requested.',
    ja: 'このアカウントの削除はすでに申請されています。',
  })

/**
 * Cancels the request to delete an account. `actor` is the id of the person who cancels the request. Returns
 * the deleted request; undefined if there was none.
 */
export async function cancelAccountDeletion(tx: Tx, user_id: number, actor: number) {
  const deletion = await tx
    .deleteFrom('account_deletions')
    .where('user_id', '=', user_id)
    .returning(['created_at', 'due_at', 'lang'])
    .executeTakeFirst()
  if (deletion)
    await recordSecurityEvent(tx, user_id, 'deletion_cancelled', {
      actor_id: actor === user_id ? null : actor,
    })
  return deletion
}

/**
 * Cancels the deletion of an account if it was requested from that account, by the member or by somebody who
 * had stolen the account. Does nothing if an admin requested the deletion.
 */
export async function cancelAccountDeletionUnlessByAdmin(tx: Tx, user_id: number) {
  const isOwnRequest =
    (await readAccountDeletionRequestsByAccountId(tx, [user_id])).get(user_id)?.by_admin === false
  if (isOwnRequest) await cancelAccountDeletion(tx, user_id, user_id)
}

/**
 * Reads the requests to delete these accounts. Returns a map from the id of an account to its request;
 * accounts without a request have no entry.
 */
export async function readAccountDeletionRequestsByAccountId(db: Db, ids: readonly number[]) {
  if (!ids.length) return new Map<number, AccountDeletionRequest>()
  const rows = await db
    .selectFrom('account_deletions')
    .select(['user_id', 'messages', 'requested_by', 'created_at', 'due_at'])
    .where('user_id', 'in', ids)
    .execute()
  return new Map(
    rows.map(({ user_id, requested_by, ...row }): [number, AccountDeletionRequest] => [
      user_id,
      { ...row, by_admin: requested_by !== user_id },
    ]),
  )
}

/**
 * Deletes the account if the request with this `due_at` still exists. Does nothing if the request was
 * cancelled, or if an earlier attempt has deleted the account. If the account belongs to the last admin,
 * keeps the account, and enqueues the job again for a day later.
 */
export const deleteAccountIfStillRequested = (
  context: AppContext,
  { user_id, due_at }: { user_id: number; due_at: string },
) =>
  transaction(context.db, async (tx) => {
    const deletion = await tx
      .selectFrom('account_deletions')
      .select(['messages', 'lang'])
      .where('user_id', '=', user_id)
      .where('due_at', '=', due_at)
      .$if(isPostgres(tx), (query) => query.forUpdate())
      .executeTakeFirst()
    if (!deletion) return
    const [admin, ...otherAdmins] = await lockActiveAdminRowsAndListIds(tx)
    if (admin === user_id && !otherAdmins.length) return postpone(tx, user_id)
    const recipient = await readNameHandleEmailAndVerifiedTime(tx, user_id)
    await deleteMember(context, tx, { id: user_id, keep_messages: deletion.messages === 'keep' })
    const mail = { user_id: null, recipient, lang: deletion.lang, kind: 'done', due_at } as const
    await enqueueAccountDeletionMail(context, tx, mail)
  })

async function postpone(tx: Tx, user_id: number) {
  const due_at = isoTimeIn(LAST_ADMIN_DELAY)
  await tx.updateTable('account_deletions').set({ due_at }).where('user_id', '=', user_id).execute()
  await enqueueDeletion(tx, user_id, due_at)
}
