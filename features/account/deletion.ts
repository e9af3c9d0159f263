import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { currentIsoTime, type Db, isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { invalidFieldError } from '#core/http/errors.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import { lockAdmins } from '#features/people/accounts.ts'
import { deleteMember } from '#features/people/deletion.ts'
import { readMailRecipient } from '#features/people/read.ts'
import { recordSecurityEvent } from '#features/people/security-log.ts'
import type { AccountDeletion, MessageChoice } from './deletion-contract.ts'
import { enqueueDeletionMail } from './deletion-mails.ts'

declare module '#core/jobs/jobs.ts' {
  interface JobKinds {
    /** `due_at` tells the request from a later one of the same account. */
    delete_account: { user_id: number; due_at: string }
  }
}

const DAY = 24 * 3600_000
/** The time between the request and the deletion, in ms. */
const DELETION_DELAY = 7 * DAY
/** If the account is that of the last admin, the deletion is tried again after this time, in ms. */
const LAST_ADMIN_DELAY = DAY

const isoTimeIn = (time: number) => new Date(Date.now() + time).toISOString()

interface DeletionRequest {
  user_id: number
  messages: MessageChoice
  /** The member, or the admin who requests it. */
  requested_by: number
  lang: Language
}

/**
 * Requests the deletion of an account, and tells the owner by mail. Throws 422 if it is requested already,
 * and for the last admin who stays.
 */
export async function requestDeletion(
  context: AppContext,
  tx: Tx,
  request: DeletionRequest,
): Promise<AccountDeletion> {
  const { user_id, messages, requested_by, lang } = request
  await requireOtherAdmin(tx, user_id)
  const times = { created_at: currentIsoTime(), due_at: isoTimeIn(DELETION_DELAY) }
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('account_deletions')
    .values({ ...request, ...times })
    .onConflict((c) => c.doNothing())
    .executeTakeFirstOrThrow()
  if (!numInsertedOrUpdatedRows) throw alreadyRequestedError()
  const by_admin = requested_by !== user_id
  await recordSecurityEvent(tx, user_id, 'deletion_requested', { actor_id: by_admin ? requested_by : null })
  await enqueueDeletion(tx, user_id, times.due_at)
  const recipient = await readMailRecipient(tx, user_id)
  const kind = by_admin ? 'requestedByAdmin' : 'requested'
  await enqueueDeletionMail(context, tx, { user_id, recipient, lang, kind, due_at: times.due_at })
  return { messages, by_admin, ...times }
}

/** Throws 422 if the account is that of an admin, and no other admin stays. */
async function requireOtherAdmin(tx: Tx, user_id: number) {
  if (!(await hasOtherAdmin(tx, user_id))) throw lastAdminError()
}

/**
 * Whether an admin stays who can log in and whose account will not be deleted, if this account is no longer
 * one. True for a member who is no admin. Locks the rows of the admins until the commit.
 */
export async function hasOtherAdmin(tx: Tx, user_id: number) {
  const admins = await lockAdmins(tx)
  if (!admins.includes(user_id)) return true
  const leaving = await readDeletions(tx, admins)
  return admins.some((id) => id !== user_id && !leaving.has(id))
}

const enqueueDeletion = (tx: Tx, user_id: number, due_at: string) =>
  enqueueJob(tx, 'delete_account', { user_id, due_at }, { runAt: new Date(due_at) })

const lastAdminError = () =>
  invalidFieldError('messages', {
    en: 'You are the last admin. Make somebody else an admin first.',
    ja: 'あなたは最後の管理者です。先にほかの人を管理者にしてください。',
  })

const alreadyRequestedError = () =>
  invalidFieldError('messages', {
    en: 'The deletion of this account is already requested.',
    ja: 'このアカウントの削除はすでに申請されています。',
  })

/**
 * Takes the request for a deletion back. `actor` is the id of the person who does it. Returns the request;
 * undefined if there was none.
 */
export async function cancelDeletion(tx: Tx, user_id: number, actor: number) {
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

/** Takes back a deletion that the member has requested, or somebody else as the member. */
export async function cancelOwnDeletion(tx: Tx, user_id: number) {
  const isOwnRequest = (await readDeletions(tx, [user_id])).get(user_id)?.by_admin === false
  if (isOwnRequest) await cancelDeletion(tx, user_id, user_id)
}

/** Reads the requests for the deletion of some accounts, by account. */
export async function readDeletions(db: Db, ids: readonly number[]) {
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
 * Deletes the account if this request has not been taken back. It does nothing if an earlier attempt has
 * deleted the account. The last admin stays until there is another one.
 */
export const deleteAccountIfDue = (
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
    const [admin, ...otherAdmins] = await lockAdmins(tx)
    if (admin === user_id && !otherAdmins.length) return postpone(tx, user_id)
    const recipient = await readMailRecipient(tx, user_id)
    await deleteMember(context, tx, { id: user_id, keep_messages: deletion.messages === 'keep' })
    const mail = { user_id: null, recipient, lang: deletion.lang, kind: 'done', due_at } as const
    await enqueueDeletionMail(context, tx, mail)
  })

async function postpone(tx: Tx, user_id: number) {
  const due_at = isoTimeIn(LAST_ADMIN_DELAY)
  await tx.updateTable('account_deletions').set({ due_at }).where('user_id', '=', user_id).execute()
  await enqueueDeletion(tx, user_id, due_at)
}
