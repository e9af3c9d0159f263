import type { NotNull } from 'kysely'
import type { Config } from '#core/config.ts'
import type { AppContext, CurrentUser, MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { type Db, isoNow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { fieldError, HttpError } from '#core/http/errors.ts'
import * as mailDeletion from '#core/mail/deletion.ts'
import * as mailLimits from '#core/mail/limits.ts'
import { enqueueMail } from '#core/mail/mail.ts'
import { hashToken, randomToken } from '#core/secrets/crypto.ts'
import { foldCaseAndWidth } from '#core/text/unicode.ts'
import { revokeConfigured } from '#features/people/admins.ts'
import * as credentials from '#features/people/credentials.ts'
import * as people from '#features/people/read.ts'
import * as reserved from '#features/people/reserved-emails.ts'
import * as securityLog from '#features/people/security-log.ts'
import { requireOpenSession } from '#features/people/session-confirmation.ts'
import * as visibility from '#features/people/visibility.ts'
import { endAccountAccess } from './account-access.ts'
import { newAddressMail, oldAddressMail } from './email-mails.ts'
import * as passkeys from './passkeys.ts'
import * as resets from './password-resets.ts'
import * as recoveryCodes from './recovery-codes.ts'
import { turnOffSecondStep } from './second-step.ts'
import * as failures from './second-step-failures.ts'

type OpenedLinkContext = AppContext & { me: CurrentUser | null; session: { token: string } }
const DAY = 24 * 3600_000
/** In ms. */
const VERIFY_LIFETIME = DAY
/** In ms. The undo also removes a second step turned on after the change, or in the week before. */
const UNDO_LIFETIME = 7 * DAY

const ago = (time: number) => new Date(Date.now() - time).toISOString()

const createBadLinkError = () =>
  new HttpError(403, {
    en: 'This link is not valid, or it has expired.',
    ja: 'このリンクは無効か、有効期限が切れています。',
  })

/** Null if there is none. */
export async function findPending(db: Db, user_id: number) {
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
 * Mails a link to the new address, and replaces an unverified change. 422 if the address is the present one
 * or taken, 423 without a recent confirmation, 429 after too many mails in a day. After too many mails to the
 * new address, sends none and does not tell the member.
 */
export const request = (
  context: MemberContext & { lang: Language; session: { token: string } },
  email: string,
) =>
  transaction(context.db, async (tx) => {
    const { config, me, lang } = context
    const account = await credentials.lockConfirmed(tx, context)
    if (account.email === email)
      throw fieldError('email', {
        en: 'This is your email address already.',
        ja: '現在のメールアドレスと同じです。',
      })
    await deleteExpired(config, tx)
    await credentials.requireFreeEmail(tx, me.id, email)
    await removePending(config, tx, me.id)
    await mailLimits.countAddressMail(config, tx, me.id)
    const token = randomToken()
    await tx
      .insertInto('email_changes')
      .values({
        user_id: me.id,
        old_email: account.email,
        new_email: email,
        token_hash: hashToken(token),
        created_at: isoNow(),
      })
      .execute()
    const { name } = (await people.findRecipient(tx, me.id))!
    const mail = newAddressMail(context, lang, { name, email, token })
    await mailLimits.enqueue(config, tx, me.id, mail)
  })

export const cancel = ({ config, db, me }: MemberContext) =>
  transaction(db, (tx) => removePending(config, tx, me.id))

/** Also the mail with the link, because it contains the new address. */
export async function removePending(config: Config, tx: Tx, user_id: number) {
  const deleted = await tx
    .deleteFrom('email_changes')
    .where('user_id', '=', user_id)
    .where('verified_at', 'is', null)
    .returning('new_email')
    .execute()
  for (const { new_email } of deleted) await mailDeletion.deleteQueued(config, tx, { user_id, to: new_email })
}

/** Until the commit. 403 if the token is not valid, or was used while this waited for the lock. */
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
  await credentials.lockAll(tx)
  const account = await credentials.lock(tx, found.user_id)
  const change = await find()
  if (!account || !change) throw createBadLinkError()
  return { account, change }
}

/**
 * Mails the old address if it was verified; otherwise it may be a stranger's. The mail says how to undo the
 * change, except after a return to an address given up in the last week. 403 if the token is not valid or the
 * account is suspended, 422 if the new address is taken meanwhile.
 */
export const verify = (context: OpenedLinkContext, lang: Language, token: string) =>
  transaction(context.db, async (tx) => {
    const { account, change } = await lockChange(tx, 'verify', token)
    const { id, user_id, new_email } = change
    // As for a wrong link, so that nobody learns from a link who is suspended.
    if (await visibility.isSuspended(tx, user_id)) throw createBadLinkError()
    await deleteExpired(context.config, tx)
    const isProven = context.me?.id === user_id
    if (isProven) await requireOpenSession(tx, context.session.token)
    await credentials.saveEmail(context.config, tx, user_id, { email: new_email, isProven })
    await resets.endAll(tx, user_id)
    await securityLog.record(tx, user_id, 'email_changed')
    const undone = await findChangeFrom(tx, user_id, new_email)
    const oldEmail = account.email_verified_at === null ? null : account.email
    const undoToken = oldEmail !== null && !undone ? randomToken() : null
    // Also keeps, for a week, the first address of an account, without an undo token: after a reset with an
    // admin's code, `emailChanges.removeFirstEmail` removes it.
    if (undoToken || account.email === null) await keepVerifiedChange(tx, id, undoToken)
    else await deleteChangesSince(tx, user_id, undone ?? id)
    await reserveFormerEmails(tx, user_id)
    if (oldEmail === null) return
    const { name } = (await people.findRecipient(tx, user_id))!
    const mail = oldAddressMail(context, lang, {
      name,
      email: oldEmail,
      token: undoToken,
    })
    await enqueueMail(tx, user_id, mail)
    // Mails of version 0.2 have no account id, so the deletion of the account would not find them later.
    await mailDeletion.deleteQueued(context.config, tx, { user_id: null, to: oldEmail })
  })

/**
 * The change of the last week in which the account gave up this address. When it takes the address back, the
 * caller deletes this change and all later ones: one of their addresses may be a thief's.
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

/** `token` undoes it (mail to the old address); with null nobody can. */
const keepVerifiedChange = (tx: Tx, id: number, token: string | null) =>
  tx
    .updateTable('email_changes')
    .set({ verified_at: isoNow(), undo_token_hash: token && hashToken(token) })
    .where('id', '=', id)
    .execute()

const deleteChangesSince = (tx: Tx, user_id: number, id: number) =>
  tx.deleteFrom('email_changes').where('user_id', '=', user_id).where('id', '>=', id).execute()

/** The account can still return to them, so no other account may take them meanwhile. */
async function reserveFormerEmails(tx: Tx, user_id: number) {
  const changes = await listUndoableChanges(tx, user_id)
  const reservations = changes.map(({ old_email, verified_at }) => ({
    email: old_email,
    until: new Date(Date.parse(verified_at!) + UNDO_LIFETIME).toISOString(),
  }))
  await reserved.replace(tx, user_id, reservations)
}

/**
 * Undoes all later changes too. A thief may have made the change, so this also ends all sessions, makes the
 * password unusable, and removes passkeys and recovery codes; and the second step, if it was turned on after
 * the change or in the week before. Then the owner must set a password, by mail or with an admin's code. 403
 * if the token is not valid.
 */
export const undo = ({ db, config, realtime }: AppContext, token: string) =>
  transaction(db, async (tx) => {
    const { change } = await lockChange(tx, 'undo', token)
    const { id, user_id, old_email, created_at } = change
    if (old_email === null) throw createBadLinkError()
    await deleteExpired(config, tx)
    await revokeConfigured(tx, config, user_id, created_at)
    await credentials.saveEmail(config, tx, user_id, { email: old_email, isProven: true })
    await credentials.disablePassword(tx, user_id)
    await endAccountAccess(tx, realtime, user_id)
    await failures.clear(tx, user_id)
    await recoveryCodes.removeAll(tx, user_id)
    await passkeys.removeAll(tx, user_id)
    const oldestOfThief = new Date(Date.parse(created_at) - UNDO_LIFETIME).toISOString()
    await turnOffSecondStep(tx, user_id, {}, oldestOfThief)
    await removePending(config, tx, user_id)
    await deleteChangesSince(tx, user_id, id)
    await reserveFormerEmails(tx, user_id)
    await securityLog.record(tx, user_id, 'email_restored')
  })

/**
 * For an account without an address a week ago: a thief may have added the first. Also deletes all later
 * changes and the mails to those addresses. The caller has locked the account.
 */
export async function removeFirstEmail(config: Config, tx: Tx, user_id: number) {
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
  await credentials.removeEmail(tx, user_id)
  await reserved.replace(tx, user_id, [])
  for (const { new_email } of changes) await mailDeletion.deleteQueued(config, tx, { user_id, to: new_email })
  await securityLog.record(tx, user_id, 'email_changed')
}

/** And their mails, because they name addresses that are not used; also expired reservations. */
export async function deleteExpired(config: Config, tx: Tx) {
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
  // A change without an old address has no mails to delete: null would select all mails of the account.
  for (const { user_id, to } of [...expired, ...final])
    if (to !== null) await mailDeletion.deleteQueued(config, tx, { user_id, to })
  await reserved.deleteExpired(tx)
}
