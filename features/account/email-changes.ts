import type { Config } from '#core/config.ts'
import type { AppContext, MemberContext } from '#core/context.ts'
import { foldCase, type Language } from '#core/contract.ts'
import { createToken, hashToken } from '#core/crypto.ts'
import { currentIsoTime, type Db, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError, invalidFieldError } from '#core/http/errors.ts'
import { deleteMails } from '#core/mail/deletion.ts'
import { enqueueMail } from '#core/mail/mail.ts'
import {
  acquireAccountsLock,
  disablePassword,
  lockAccount,
  lockConfirmedAccount,
  requireFreeEmail,
  saveVerifiedEmail,
} from '#features/people/credentials.ts'
import { readMailRecipient } from '#features/people/read.ts'
import { deleteOldReservedEmails, replaceReservedEmails } from '#features/people/reserved-emails.ts'
import { recordSecurityEvent } from '#features/people/security-log.ts'
import { isSuspended } from '#features/people/visibility.ts'
import { endAllAccess } from './account-access.ts'
import { createEmailChangedMail, createNewAddressMail } from './email-mails.ts'
import { deleteAllPasskeys } from './passkeys.ts'
import { invalidatePasswordResets } from './password-resets.ts'
import { deleteRecoveryCodes } from './recovery-codes.ts'
import { removeSecondStep } from './second-step.ts'

const DAY = 24 * 3600_000
/** A link to verify a new address is valid for this time, in ms. */
const VERIFY_LIFETIME = DAY
/** The owner of the old address can undo a change for this time, in ms. */
const UNDO_LIFETIME = 7 * DAY

const ago = (time: number) => new Date(Date.now() - time).toISOString()

const badLinkError = () =>
  new HttpError(403, {
    en: 'This link is not valid, or it has expired.',
    ja: 'このリンクは無効か、有効期限が切れています。',
  })

/** Returns the address that waits for its verification; null if there is none. */
export async function readPendingEmail(db: Db, user_id: number) {
  const row = await db
    .selectFrom('email_changes')
    .select('new_email')
    .where('user_id', '=', user_id)
    .where('verified_at', 'is', null)
    .where('created_at', '>', ago(VERIFY_LIFETIME))
    .executeTakeFirst()
  return row?.new_email ?? null
}

/**
 * Starts the change of the member's address: sends a link to the new address. It replaces an earlier change
 * that is not verified. Throws 422 if the address is the present one, or another account has it, and 423
 * unless the session is confirmed.
 */
export const requestEmailChange = (
  context: MemberContext & { lang: Language; session: { token: string } },
  email: string,
) =>
  transaction(context.db, async (tx) => {
    const { config, me, lang } = context
    const account = await lockConfirmedAccount(tx, context)
    if (account.email === email)
      throw invalidFieldError('email', {
        en: 'This is your email address already.',
        ja: '現在のメールアドレスと同じです。',
      })
    await deleteOldEmailChanges(config, tx)
    await requireFreeEmail(tx, me.id, email)
    await deletePendingEmailChange(config, tx, me.id)
    const token = createToken()
    await tx
      .insertInto('email_changes')
      .values({
        user_id: me.id,
        old_email: account.email,
        new_email: email,
        token_hash: hashToken(token),
        created_at: currentIsoTime(),
      })
      .execute()
    const { name } = (await readMailRecipient(tx, me.id))!
    await enqueueMail(tx, me.id, createNewAddressMail(context, lang, { name, email, token }))
  })

/** Gives up a change that is not verified yet. */
export const cancelEmailChange = ({ config, db, me }: MemberContext) =>
  transaction(db, (tx) => deletePendingEmailChange(config, tx, me.id))

/** Deletes the change of an address that is not verified yet, and its mail, which names the new address. */
export async function deletePendingEmailChange(config: Config, tx: Tx, user_id: number) {
  const deleted = await tx
    .deleteFrom('email_changes')
    .where('user_id', '=', user_id)
    .where('verified_at', 'is', null)
    .returning('new_email')
    .execute()
  for (const { new_email } of deleted) await deleteMails(config, tx, { user_id, to: new_email })
}

/**
 * Finds the change with a token and locks its account until the commit. Throws 403 if the token is not valid,
 * or another transaction has used it while this one waited for the lock.
 */
async function lockChange(tx: Tx, kind: 'verify' | 'undo', token: string) {
  const find = () =>
    tx
      .selectFrom('email_changes')
      .selectAll()
      .$if(kind === 'verify', (query) =>
        query
          .where('token_hash', '=', hashToken(token))
          .where('verified_at', 'is', null)
          .where('created_at', '>', ago(VERIFY_LIFETIME)),
      )
      .$if(kind === 'undo', (query) =>
        query.where('undo_token_hash', '=', hashToken(token)).where('verified_at', '>', ago(UNDO_LIFETIME)),
      )
      .executeTakeFirst()
  const found = await find()
  if (!found) throw badLinkError()
  await acquireAccountsLock(tx)
  const account = await lockAccount(tx, found.user_id)
  const change = await find()
  if (!account || !change) throw badLinkError()
  return { account, change }
}

/**
 * Completes a change with the token of the mail to the new address. Tells the old address how to undo it, if
 * it was verified: otherwise it may be a stranger's. Throws 403 if the token is not valid or the account is
 * suspended, and 422 if another account has taken the address meanwhile.
 */
export const verifyEmailChange = (context: AppContext, lang: Language, token: string) =>
  transaction(context.db, async (tx) => {
    const { account, change } = await lockChange(tx, 'verify', token)
    const { id, user_id, new_email } = change
    // The answer for a suspended account is the same, so that a link does not tell who is suspended.
    if (await isSuspended(tx, user_id)) throw badLinkError()
    await deleteOldEmailChanges(context.config, tx)
    await saveVerifiedEmail(context.config, tx, user_id, new_email)
    await invalidatePasswordResets(tx, user_id)
    await recordSecurityEvent(tx, user_id, 'email_changed')
    const undone = await findChangeFrom(tx, user_id, new_email)
    const isVerified = account.email_verified_at !== null
    const undoToken = isVerified && !undone ? createToken() : null
    if (undoToken) await openUndo(tx, id, undoToken)
    else await deleteChangesSince(tx, user_id, undone ?? id)
    await reserveFormerEmails(tx, user_id)
    if (!isVerified) return
    const { name } = (await readMailRecipient(tx, user_id))!
    const mail = createEmailChangedMail(context, lang, { name, email: account.email, token: undoToken })
    await enqueueMail(tx, user_id, mail)
    // Mails of version 0.2 name no account, so the deletion of the account would not find them later.
    await deleteMails(context.config, tx, { user_id: null, to: account.email })
  })

/**
 * Returns the id of the change by which an account has lost an address in the last week; undefined if there
 * is none. If the account gets this address back, the changes since then cannot be undone any more: otherwise
 * a thief whose address was in between could.
 */
async function findChangeFrom(tx: Tx, user_id: number, email: string) {
  const changes = await listUndoableChanges(tx, user_id)
  return changes.find(({ old_email }) => foldCase(old_email) === foldCase(email))?.id
}

const listUndoableChanges = (tx: Tx, user_id: number) =>
  tx
    .selectFrom('email_changes')
    .select(['id', 'old_email', 'verified_at'])
    .where('user_id', '=', user_id)
    .where('verified_at', '>', ago(UNDO_LIFETIME))
    .orderBy('id')
    .execute()

/** Marks a change as verified. From now on, the token undoes it. */
const openUndo = (tx: Tx, id: number, token: string) =>
  tx
    .updateTable('email_changes')
    .set({ verified_at: currentIsoTime(), undo_token_hash: hashToken(token) })
    .where('id', '=', id)
    .execute()

const deleteChangesSince = (tx: Tx, user_id: number, id: number) =>
  tx.deleteFrom('email_changes').where('user_id', '=', user_id).where('id', '>=', id).execute()

/** Reserves the addresses to which the account can return, so that nobody else takes them meanwhile. */
async function reserveFormerEmails(tx: Tx, user_id: number) {
  const changes = await listUndoableChanges(tx, user_id)
  const reservations = changes.map(({ old_email, verified_at }) => ({
    email: old_email,
    until: new Date(Date.parse(verified_at!) + UNDO_LIFETIME).toISOString(),
  }))
  await replaceReservedEmails(tx, user_id, reservations)
}

/**
 * Undoes a change with the token of the mail to the old address, because somebody else may have made it: ends
 * all sessions, makes the password unusable, and removes the passkeys, the recovery codes and a second step
 * that is younger than the change, so that only a reset by mail opens the account. Also ends all later
 * changes, so that the oldest address of the week wins. Throws 403 if the token is not valid.
 */
export const undoEmailChange = ({ db, config, realtime }: AppContext, token: string) =>
  transaction(db, async (tx) => {
    const { change } = await lockChange(tx, 'undo', token)
    const { id, user_id, old_email, created_at } = change
    await deleteOldEmailChanges(config, tx)
    await saveVerifiedEmail(config, tx, user_id, old_email)
    await disablePassword(tx, user_id)
    await endAllAccess(tx, realtime, user_id)
    await deleteRecoveryCodes(tx, user_id)
    await deleteAllPasskeys(tx, user_id)
    await removeSecondStep(tx, user_id, {}, created_at)
    await deletePendingEmailChange(config, tx, user_id)
    await deleteChangesSince(tx, user_id, id)
    await reserveFormerEmails(tx, user_id)
    await recordSecurityEvent(tx, user_id, 'email_restored')
  })

/**
 * Deletes the changes that can be neither verified nor undone any more, and their mails, because they name
 * addresses that are not used.
 */
export async function deleteOldEmailChanges(config: Config, tx: Tx) {
  const expired = await tx
    .deleteFrom('email_changes')
    .where('verified_at', 'is', null)
    .where('created_at', '<=', ago(VERIFY_LIFETIME))
    .returning(['user_id', 'new_email as to'])
    .execute()
  const final = await tx
    .deleteFrom('email_changes')
    .where('verified_at', '<=', ago(UNDO_LIFETIME))
    .returning(['user_id', 'old_email as to'])
    .execute()
  for (const mails of [...expired, ...final]) await deleteMails(config, tx, mails)
  await deleteOldReservedEmails(tx)
}
