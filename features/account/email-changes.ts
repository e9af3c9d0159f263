import type { Config } from '#core/config.ts'
import type { AppContext, MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { createToken, hashToken } from '#core/crypto.ts'
import { currentIsoTime, type Db, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError, invalidFieldError } from '#core/http/errors.ts'
import { deleteMails } from '#core/mail/deletion.ts'
import { enqueueMail } from '#core/mail/mail.ts'
import {
  checkEmailIsFree,
  disablePassword,
  readOwnCredentials,
  saveVerifiedEmail,
} from '#features/people/credentials.ts'
import { readMailRecipient } from '#features/people/read.ts'
import { recordSecurityEvent } from '#features/people/security-log.ts'
import { endAllSessions } from '#features/people/sessions.ts'
import { isSuspended } from '#features/people/visibility.ts'
import { createEmailChangedMail, createNewAddressMail } from './email-mails.ts'
import { deleteLogInChallengesOf } from './log-in-challenges.ts'
import { deleteAllPasskeys } from './passkeys.ts'
import { endPasswordResets } from './password-resets.ts'
import { deleteRecoveryCodes } from './recovery-codes.ts'

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
 * that is not verified. Throws 422 if the address is the present one, or another account has it.
 */
export async function requestEmailChange(context: MemberContext & { lang: Language }, email: string) {
  const { config, db, me, lang } = context
  const account = await readOwnCredentials(context)
  if (account.email === email)
    throw invalidFieldError('email', {
      en: 'This is your email address already.',
      ja: '現在のメールアドレスと同じです。',
    })
  const token = createToken()
  await transaction(db, async (tx) => {
    await deleteOldEmailChanges(config, tx)
    await checkEmailIsFree(tx, me.id, email)
    await deletePendingEmailChange(config, tx, me.id)
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
}

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
 * Completes a change with the token of the mail to the new address. Tells the old address how to undo it.
 * Throws 403 if the token is not valid or the account is suspended, and 422 if another account has taken the
 * address meanwhile.
 */
export const verifyEmailChange = (context: AppContext, lang: Language, token: string) =>
  transaction(context.db, async (tx) => {
    await deleteOldEmailChanges(context.config, tx)
    const undoToken = createToken()
    const change = await tx
      .updateTable('email_changes')
      .set({ verified_at: currentIsoTime(), undo_token_hash: hashToken(undoToken) })
      .where('token_hash', '=', hashToken(token))
      .where('verified_at', 'is', null)
      .where('created_at', '>', ago(VERIFY_LIFETIME))
      .returning(['user_id', 'old_email', 'new_email'])
      .executeTakeFirst()
    // The answer for a suspended account is the same, so that a link does not tell who is suspended.
    if (!change || (await isSuspended(tx, change.user_id))) throw badLinkError()
    const { user_id, old_email, new_email } = change
    await saveVerifiedEmail(context.config, tx, user_id, new_email)
    await endPasswordResets(tx, user_id)
    await recordSecurityEvent(tx, user_id, 'email_changed')
    const { name } = (await readMailRecipient(tx, user_id))!
    const mail = createEmailChangedMail(context, lang, { name, email: old_email, token: undoToken })
    await enqueueMail(tx, user_id, mail)
    // Mails of version 0.2 name no account, so the deletion of the account would not find them later.
    await deleteMails(context.config, tx, { user_id: null, to: old_email })
  })

/**
 * Undoes a change with the token of the mail to the old address, because somebody else may have made it: ends
 * all sessions, makes the password unusable and removes the passkeys, so that only a reset by mail opens the
 * account. Throws 403 if
 * the token is not valid, and 422 if another account has taken the old address meanwhile.
 */
export const undoEmailChange = ({ db, config, realtime }: AppContext, token: string) =>
  transaction(db, async (tx) => {
    await deleteOldEmailChanges(config, tx)
    const change = await tx
      .deleteFrom('email_changes')
      .where('undo_token_hash', '=', hashToken(token))
      .where('verified_at', '>', ago(UNDO_LIFETIME))
      .returning(['user_id', 'old_email'])
      .executeTakeFirst()
    if (!change) throw badLinkError()
    const { user_id, old_email } = change
    await saveVerifiedEmail(config, tx, user_id, old_email)
    await disablePassword(tx, user_id)
    await endPasswordResets(tx, user_id)
    await deleteRecoveryCodes(tx, user_id)
    await deleteAllPasskeys(tx, user_id)
    await endAllSessions(tx, realtime, user_id)
    await deleteLogInChallengesOf(tx, user_id)
    await deletePendingEmailChange(config, tx, user_id)
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
}
