import type { NotNull } from 'kysely'
import type { Config } from '#core/config.ts'
import type { AppContext, CurrentUser, MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { createRandomToken, hashToken } from '#core/crypto.ts'
import { currentIsoTime, type Db, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { createInvalidFieldError, HttpError } from '#core/http/errors.ts'
import { deleteQueuedMailsAndEnqueueFileDeletion } from '#core/mail/deletion.ts'
import {
  enqueueLimitedMailToUnverifiedAddress,
  incrementUnverifiedAddressMailCountOrThrow429,
} from '#core/mail/limits.ts'
import { enqueueMail } from '#core/mail/mail.ts'
import { foldCaseAndWidth } from '#core/unicode.ts'
import { revokeConfiguredAdmin } from '#features/people/admins.ts'
import {
  acquireAccountsLock,
  disablePassword,
  lockAndReadAccount,
  lockAndReadAccountOfRecentlyConfirmedSession,
  removeEmailAddressOfAccount,
  requireEmailNotTakenOrReserved,
  saveVerifiedEmail,
} from '#features/people/credentials.ts'
import { readNameHandleEmailAndVerifiedTime } from '#features/people/read.ts'
import { deleteExpiredReservedEmails, replaceReservedEmails } from '#features/people/reserved-emails.ts'
import { recordSecurityEvent } from '#features/people/security-log.ts'
import { requireSessionNotEnded } from '#features/people/session-confirmation.ts'
import { isMemberSuspended } from '#features/people/visibility.ts'
import { endSessionsPendingLogInsAndResets } from './account-access.ts'
import { createEmailChangedMailToOldAddress, createVerificationMailToNewAddress } from './email-mails.ts'
import { deleteAllPasskeysOfMember } from './passkeys.ts'
import { invalidatePasswordResetsOfAccount } from './password-resets.ts'
import { deleteRecoveryCodes } from './recovery-codes.ts'
import { removeAuthenticatorAppOfAccount } from './second-step.ts'
import { clearSecondStepFailuresAndUnblock } from './second-step-failures.ts'

type OpenedLinkContext = AppContext & { me: CurrentUser | null; session: { token: string } }
const DAY = 24 * 3600_000
/** The time for which the link that verifies a new e-mail address is valid, in ms. */
const VERIFY_LIFETIME = DAY
/**
 * The time for which the owner of the old e-mail address can undo a change of the address, in ms. The undo
 * also removes a second step that was turned on after the change, or in the week before the change.
 */
const UNDO_LIFETIME = 7 * DAY

const ago = (time: number) => new Date(Date.now() - time).toISOString()

const createBadLinkError = () =>
  new HttpError(403, {
    en: 'This link is not valid, or it has expired.',
    ja: 'このリンクは無効か、有効期限が切れています。',
  })

/** Returns the new e-mail address of a member that is not verified yet; null if there is none. */
export async function readUnverifiedNewEmailAddress(db: Db, user_id: number) {
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
 * Starts a change of the member's e-mail address: mails a link to the new address. Replaces an earlier change
 * that is not verified. Throws 422 if the address is the present one, or another account has it, 423 unless
 * the member has confirmed their identity lately, and 429 after too many mails in a day. If too many mails
 * went to the new address, sends no mail, and does not tell the member.
 */
export const requestEmailChange = (
  context: MemberContext & { lang: Language; session: { token: string } },
  email: string,
) =>
  transaction(context.db, async (tx) => {
    const { config, me, lang } = context
    const account = await lockAndReadAccountOfRecentlyConfirmedSession(tx, context)
    if (account.email === email)
      throw createInvalidFieldError('email', {
        en: 'This is your email address already.',
        ja: '現在のメールアドレスと同じです。',
      })
    await deleteExpiredEmailChangesAndMails(config, tx)
    await requireEmailNotTakenOrReserved(tx, me.id, email)
    await deletePendingEmailChangeAndMails(config, tx, me.id)
    await incrementUnverifiedAddressMailCountOrThrow429(config, tx, me.id)
    const token = createRandomToken()
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
    const { name } = (await readNameHandleEmailAndVerifiedTime(tx, me.id))!
    const mail = createVerificationMailToNewAddress(context, lang, { name, email, token })
    await enqueueLimitedMailToUnverifiedAddress(config, tx, me.id, mail)
  })

/** Cancels the member's change of the e-mail address that is not verified yet. */
export const cancelEmailChange = ({ config, db, me }: MemberContext) =>
  transaction(db, (tx) => deletePendingEmailChangeAndMails(config, tx, me.id))

/**
 * Deletes a member's change of the e-mail address that is not verified yet. Also deletes the mail with the
 * link, because that mail contains the new address.
 */
export async function deletePendingEmailChangeAndMails(config: Config, tx: Tx, user_id: number) {
  const deleted = await tx
    .deleteFrom('email_changes')
    .where('user_id', '=', user_id)
    .where('verified_at', 'is', null)
    .returning('new_email')
    .execute()
  for (const { new_email } of deleted)
    await deleteQueuedMailsAndEnqueueFileDeletion(config, tx, { user_id, to: new_email })
}

/**
 * Finds the change of an e-mail address to which a token belongs, and locks the row of its account until the
 * commit. Returns the account and the change. Throws 403 if the token is not valid, or if another transaction
 * used it while this one waited for the lock.
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
  if (!found) throw createBadLinkError()
  await acquireAccountsLock(tx)
  const account = await lockAndReadAccount(tx, found.user_id)
  const change = await find()
  if (!account || !change) throw createBadLinkError()
  return { account, change }
}

/**
 * Completes a change of an e-mail address with the token of the mail to the new address. Sends a mail to the
 * old address if the old address was verified; otherwise it may be a stranger's. The mail says how to undo
 * the change, except if the account returns to an address that it gave up in the last week. Throws 403 if the
 * token is not valid or the account is suspended, and 422 if another account has taken the new address
 * meanwhile.
 */
export const verifyAndCompleteEmailChange = (context: OpenedLinkContext, lang: Language, token: string) =>
  transaction(context.db, async (tx) => {
    const { account, change } = await lockChange(tx, 'verify', token)
    const { id, user_id, new_email } = change
    // Responds to the link of a suspended account as to a wrong link, so that nobody learns from a link who
    // is suspended.
    if (await isMemberSuspended(tx, user_id)) throw createBadLinkError()
    await deleteExpiredEmailChangesAndMails(context.config, tx)
    const isProven = context.me?.id === user_id
    if (isProven) await requireSessionNotEnded(tx, context.session.token)
    await saveVerifiedEmail(context.config, tx, user_id, { email: new_email, isProven })
    await invalidatePasswordResetsOfAccount(tx, user_id)
    await recordSecurityEvent(tx, user_id, 'email_changed')
    const undone = await findChangeFrom(tx, user_id, new_email)
    const oldEmail = account.email_verified_at === null ? null : account.email
    const undoToken = oldEmail !== null && !undone ? createRandomToken() : null
    // Also keeps the change of an account that had no address before for a week, without an undo token: if
    // the owner resets the password with an admin's code, `removeEmailAddressFirstAddedInLastWeek` removes
    // the new address.
    if (undoToken || account.email === null) await keepVerifiedChange(tx, id, undoToken)
    else await deleteChangesSince(tx, user_id, undone ?? id)
    await reserveFormerEmails(tx, user_id)
    if (oldEmail === null) return
    const { name } = (await readNameHandleEmailAndVerifiedTime(tx, user_id))!
    const mail = createEmailChangedMailToOldAddress(context, lang, {
      name,
      email: oldEmail,
      token: undoToken,
    })
    await enqueueMail(tx, user_id, mail)
    // Deletes the mails to the old address that version 0.2 has enqueued or stored. Such mails contain no
    // account id, so the deletion of the account would not find them later.
    await deleteQueuedMailsAndEnqueueFileDeletion(context.config, tx, { user_id: null, to: oldEmail })
  })

/**
 * Finds the change of the last week in which the account gave up this e-mail address. Returns the id of the
 * change, or undefined if there is none. When the account takes the address back, the caller deletes this
 * change and all later ones, so that nobody can undo them: one of their addresses may be a thief's.
 */
async function findChangeFrom(tx: Tx, user_id: number, email: string) {
  const changes = await listUndoableChanges(tx, user_id)
  return changes.find(({ old_email }) => foldCaseAndWidth(old_email) === foldCaseAndWidth(email))?.id
}

const listUndoableChanges = (tx: Tx, user_id: number) =>
  tx
    .selectFrom('email_changes')
    .select(['id', 'old_email', 'verified_at'])
    .where('user_id', '=', user_id)
    .where('verified_at', '>', ago(UNDO_LIFETIME))
    .where('old_email', 'is not', null)
    .$narrowType<{ old_email: NotNull }>()
    .orderBy('id')
    .execute()

/** Marks a change as verified. `token` undoes it (mail to the old address); with null nobody can. */
const keepVerifiedChange = (tx: Tx, id: number, token: string | null) =>
  tx
    .updateTable('email_changes')
    .set({ verified_at: currentIsoTime(), undo_token_hash: token && hashToken(token) })
    .where('id', '=', id)
    .execute()

const deleteChangesSince = (tx: Tx, user_id: number, id: number) =>
  tx.deleteFrom('email_changes').where('user_id', '=', user_id).where('id', '>=', id).execute()

/**
 * Reserves the former e-mail addresses to which the account can still return, so that no other account takes
 * them meanwhile.
 */
async function reserveFormerEmails(tx: Tx, user_id: number) {
  const changes = await listUndoableChanges(tx, user_id)
  const reservations = changes.map(({ old_email, verified_at }) => ({
    email: old_email,
    until: new Date(Date.parse(verified_at!) + UNDO_LIFETIME).toISOString(),
  }))
  await replaceReservedEmails(tx, user_id, reservations)
}

/**
 * Undoes a change of an e-mail address with the token of the mail to the old address. Undoes all later
 * changes too, so that the account has the address before this change again. A thief may have made the
 * change, so this function also ends all sessions, makes the password unusable, and removes the passkeys and
 * the recovery codes. It removes the second step if that was turned on after the change, or in the week
 * before it, because a thief may do this first. Afterwards the owner must set a new password, by mail or with
 * a code of an admin. Throws 403 if the token is not valid.
 */
export const undoEmailChangeAndEndAllAccess = ({ db, config, realtime }: AppContext, token: string) =>
  transaction(db, async (tx) => {
    const { change } = await lockChange(tx, 'undo', token)
    const { id, user_id, old_email, created_at } = change
    if (old_email === null) throw createBadLinkError()
    await deleteExpiredEmailChangesAndMails(config, tx)
    await revokeConfiguredAdmin(tx, config, user_id, created_at)
    await saveVerifiedEmail(config, tx, user_id, { email: old_email, isProven: true })
    await disablePassword(tx, user_id)
    await endSessionsPendingLogInsAndResets(tx, realtime, user_id)
    await clearSecondStepFailuresAndUnblock(tx, user_id)
    await deleteRecoveryCodes(tx, user_id)
    await deleteAllPasskeysOfMember(tx, user_id)
    const oldestOfThief = new Date(Date.parse(created_at) - UNDO_LIFETIME).toISOString()
    await removeAuthenticatorAppOfAccount(tx, user_id, {}, oldestOfThief)
    await deletePendingEmailChangeAndMails(config, tx, user_id)
    await deleteChangesSince(tx, user_id, id)
    await reserveFormerEmails(tx, user_id)
    await recordSecurityEvent(tx, user_id, 'email_restored')
  })

/**
 * Removes the e-mail address of an account that had no address a week ago, because a thief may have added the
 * address. Also deletes all later changes of the address, and the mails to those addresses. Does nothing for
 * other accounts. The caller has locked the account.
 */
export async function removeEmailAddressFirstAddedInLastWeek(config: Config, tx: Tx, user_id: number) {
  const first = await tx
    .selectFrom('email_changes')
    .select('id')
    .where('user_id', '=', user_id)
    .where('verified_at', '>', ago(UNDO_LIFETIME))
    .where('old_email', 'is', null)
    .orderBy('id')
    .executeTakeFirst()
  if (!first) return
  const changes = await tx
    .deleteFrom('email_changes')
    .where('user_id', '=', user_id)
    .where('id', '>=', first.id)
    .returning('new_email')
    .execute()
  await removeEmailAddressOfAccount(tx, user_id)
  await replaceReservedEmails(tx, user_id, [])
  for (const { new_email } of changes)
    await deleteQueuedMailsAndEnqueueFileDeletion(config, tx, { user_id, to: new_email })
  await recordSecurityEvent(tx, user_id, 'email_changed')
}

/**
 * Deletes the changes of e-mail addresses that can be neither verified nor undone any more, and their mails,
 * because they name addresses that are not used. Also deletes the expired reservations of addresses.
 */
export async function deleteExpiredEmailChangesAndMails(config: Config, tx: Tx) {
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
  // Skips a change without an old address, because it has no mails to delete: null would select all mails of
  // the account.
  for (const { user_id, to } of [...expired, ...final])
    if (to !== null) await deleteQueuedMailsAndEnqueueFileDeletion(config, tx, { user_id, to })
  await deleteExpiredReservedEmails(tx)
}
