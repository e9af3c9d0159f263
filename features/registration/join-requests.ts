import type { CommunitySettingsStore } from '#core/community-settings.ts'
import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { createRandomToken, hashToken } from '#core/crypto.ts'
import { currentIsoTime, type Db, type Tx } from '#core/database/database.ts'
import { acquireNamedTransactionLock, transaction } from '#core/database/transaction.ts'
import type { RequestContext } from '#core/http/endpoints.ts'
import { HttpError } from '#core/http/errors.ts'
import { enqueueLimitedMailToUnverifiedAddress } from '#core/mail/limits.ts'
import { foldCaseAndWidth } from '#core/unicode.ts'
import { checkAndHashNewPassword, isEmailTakenOrReserved } from '#features/people/credentials.ts'
import type { JoinRequestStateResponse, joinRequestEndpoints } from './join-request-contract.ts'
import { createJoinRequestHasAccountMail, createJoinRequestVerificationMail } from './join-request-mails.ts'
import { enqueueWaitingJoinRequestsMailJob } from './join-request-notices.ts'

// The functions of this file create, verify and delete requests to join a community in which admins decide. A
// request is not an account: it has no row in `users` until an admin approves it. So the queries for members
// do not have to exclude requests.

const DAY = 24 * 3600_000
/** The time for which the link that verifies the e-mail address of a request is valid, in ms. */
const VERIFY_LIFETIME = DAY
/**
 * The time in ms for which a request to join waits for an admin after it became visible to the admins; then
 * it is deleted. A decision about a request is also deleted after this time.
 */
const REQUEST_LIFETIME = 30 * DAY
/** The maximum number of mails that requests to join cause to one e-mail address within VERIFY_LIFETIME. */
const MAX_MAILS = 3

const ago = (time: number) => new Date(Date.now() - time).toISOString()

const messages = {
  notNeeded: {
    en: 'This community does not take requests at the moment. Please load the page again.',
    ja: 'このコミュニティーは、現在参加の申し込みを受け付けていません。ページを読み込み直してください。',
  },
  badLink: {
    en: 'This link is not valid, or it has expired. Please ask to join again.',
    ja: 'このリンクは無効か、有効期限が切れています。もう一度お申し込みください。',
  },
}

/**
 * Throws 403 unless the settings say that admins decide who joins. The caller checks this before all checks
 * that look for accounts, so that the response does not reveal whether an address has an account.
 */
function requireApprovalCommunity(settings: CommunitySettingsStore) {
  if (settings.current().who_can_join !== 'approval') throw new HttpError(403, messages.notNeeded)
}

/**
 * Acquires the lock with which only one transaction at a time can change which requests wait for an admin.
 */
const acquireRequestsLock = (tx: Tx) => acquireNamedTransactionLock(tx, 'join requests')

/**
 * Stores a request to join, and sends a mail to the e-mail address (see `sendFirstMail`). Returns the token
 * with which the browser reads the state of the request. Without a mail server, the request waits for an
 * admin at once, with an unverified address. The result is the same whether the address has an account, a
 * request, or neither. Throws 403 if the community does not take requests, and 422 if the password is a
 * common one.
 */
export async function createJoinRequestAndReturnToken(
  context: RequestContext<(typeof joinRequestEndpoints)['create']>,
) {
  const { db, config, settings, client, lang, input, session } = context
  requireApprovalCommunity(settings)
  const password_hash = await checkAndHashNewPassword(input.password, client.network)
  const { name, email, answer } = input
  const canSendMail = Boolean(config.SMTP_URL)
  const [token, mailToken] = [createRandomToken(), createRandomToken()]
  await transaction(db, async (tx) => {
    requireApprovalCommunity(settings)
    await acquireRequestsLock(tx)
    if (canSendMail) await sendFirstMail(context, tx, { name, email, lang, token: mailToken })
    const now = currentIsoTime()
    const { join_question: question } = settings.current()
    const hashes = {
      token_hash: hashToken(token),
      mail_token_hash: hashToken(mailToken),
      password_hash,
      browser_hash: hashToken(session.token),
    }
    const request = {
      name,
      email,
      email_key: foldCaseAndWidth(email),
      question,
      answer,
      lang,
      created_at: now,
    }
    await tx
      .insertInto('join_requests')
      .values({ ...request, ...hashes, entered_at: canSendMail ? null : now })
      .execute()
    if (!canSendMail) await enqueueWaitingJoinRequestsMailJob(tx)
  })
  return token
}

/**
 * Sends the first mail after a request to join: the link that verifies the e-mail address or, if the address
 * has an account, a mail that says so. Does nothing if MAX_MAILS requests named the address within a day, so
 * that nobody can fill a mailbox with requests.
 */
async function sendFirstMail(
  context: AppContext,
  tx: Tx,
  { token, ...recipient }: { name: string; email: string; lang: Language; token: string },
) {
  const { email } = recipient
  const recent = await tx
    .selectFrom('join_requests')
    .select('id')
    .where('email_key', '=', foldCaseAndWidth(email))
    .where('created_at', '>', ago(VERIFY_LIFETIME))
    .limit(MAX_MAILS)
    .execute()
  const isTaken = await isEmailTakenOrReserved(tx, email)
  if (recent.length === MAX_MAILS) return
  const mail = isTaken
    ? createJoinRequestHasAccountMail(context, recipient)
    : createJoinRequestVerificationMail(context, recipient, token)
  await enqueueLimitedMailToUnverifiedAddress(context.config, tx, null, mail)
}

/**
 * Verifies the e-mail address of a request to join with the token of the mail, and shows the request to the
 * admins. Deletes other requests with the address, because the owner of the mailbox has chosen this one.
 * Returns the state of the request. Throws 403 if the token is not valid.
 */
export const verifyEmailOfJoinRequest = (
  { db, session }: AppContext & { session: { token: string } },
  token: string,
): Promise<JoinRequestStateResponse> =>
  transaction(db, async (tx) => {
    await acquireRequestsLock(tx)
    const now = currentIsoTime()
    const verified = await tx
      .updateTable('join_requests')
      .set({ verified_at: now, entered_at: now })
      .where('mail_token_hash', '=', hashToken(token))
      .where('entered_at', 'is', null)
      .where('created_at', '>', ago(VERIFY_LIFETIME))
      .returning(['id', 'email_key'])
      .executeTakeFirst()
    await proveJoinRequest(tx, token, session.token)
    if (!verified) {
      const { state } = await readJoinRequestState(tx, token)
      // Returns the present state of the request if the token was used before.
      if (state !== 'ended' && state !== 'unverified') return { state }
      throw new HttpError(403, messages.badLink)
    }
    await deleteOtherJoinRequestsOfEmailAddress(tx, verified.email_key, verified.id)
    await enqueueWaitingJoinRequestsMailJob(tx)
    return { state: 'waiting' }
  })

/**
 * Records that the browser that sent a request has opened the link of its mail. So the owner of the mailbox
 * is the person who chose the password of the request.
 */
const proveJoinRequest = (tx: Tx, mailToken: string, browser: string) =>
  tx
    .updateTable('join_requests')
    .set({ proven_at: currentIsoTime() })
    .where('mail_token_hash', '=', hashToken(mailToken))
    .where('browser_hash', '=', hashToken(browser))
    .where('verified_at', 'is not', null)
    .where('proven_at', 'is', null)
    .execute()

/** Deletes the requests to join with this e-mail address, except the request with the id `except`. */
export const deleteOtherJoinRequestsOfEmailAddress = (tx: Tx, email_key: string, except: number) =>
  tx.deleteFrom('join_requests').where('email_key', '=', email_key).where('id', '!=', except).execute()

/** Returns the state of a request to join, found by the token of the browser or by that of the mail. */
export async function readJoinRequestState(db: Db, token: string): Promise<JoinRequestStateResponse> {
  const hash = hashToken(token)
  const request = await db
    .selectFrom('join_requests')
    .select('entered_at')
    .where((row) => row.or([row('token_hash', '=', hash), row('mail_token_hash', '=', hash)]))
    .executeTakeFirst()
  if (request) return { state: request.entered_at === null ? 'unverified' : 'waiting' }
  const decided = await db
    .selectFrom('join_decisions')
    .select('decision')
    .where((row) => row.or([row('token_hash', '=', hash), row('mail_token_hash', '=', hash)]))
    .executeTakeFirst()
  return { state: decided?.decision ?? 'ended' }
}

/**
 * Returns the password hash of the newest verified request to join with this e-mail address that waits for an
 * admin; undefined if there is none. With the hash, the log-in tells only the person who knows the password
 * that the request waits. An unverified request does not count: a stranger may have made it to learn whether
 * the address has an account.
 */
export const findPasswordHashRowOfVerifiedJoinRequest = (db: Db, email: string) =>
  db
    .selectFrom('join_requests')
    .select('password_hash')
    .where('email_key', '=', foldCaseAndWidth(email))
    .where('verified_at', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Deletes the requests to join that nobody has verified or decided in time, and old decisions. */
export const deleteOldJoinRequestsAndDecisions = ({ db }: Pick<AppContext, 'db'>) =>
  transaction(db, async (tx) => {
    await tx
      .deleteFrom('join_requests')
      .where('entered_at', 'is', null)
      .where('created_at', '<=', ago(VERIFY_LIFETIME))
      .execute()
    await tx.deleteFrom('join_requests').where('entered_at', '<=', ago(REQUEST_LIFETIME)).execute()
    await tx.deleteFrom('join_decisions').where('decided_at', '<=', ago(REQUEST_LIFETIME)).execute()
  })
