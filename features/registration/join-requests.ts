import './events.ts'
import type { SettingsStore } from '#core/community/settings.ts'
import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { type Db, isoNow, type Tx } from '#core/database/database.ts'
import { lockName, transaction } from '#core/database/transaction.ts'
import type { RequestContext } from '#core/http/endpoints.ts'
import { HttpError } from '#core/http/errors.ts'
import * as mailLimits from '#core/mail/limits.ts'
import { hashToken, randomToken } from '#core/secrets/crypto.ts'
import { foldAddress } from '#core/text/addresses.ts'
import * as credentials from '#features/people/credentials.ts'
import type { JoinState, joinEndpoints } from './contract.ts'
import * as joinMails from './join-request-mails.ts'
import * as joinNotices from './join-request-notices.ts'

// A request has no row in `users` until an admin approves it, so queries for members need not exclude it.

const DAY = 24 * 3600_000
/** In ms. */
const VERIFY_LIFETIME = DAY
/** In ms since it became visible to the admins. Decisions are deleted after this time too. */
const REQUEST_LIFETIME = 30 * DAY
/** To one address within VERIFY_LIFETIME. */
const MAX_MAILS = 3

const ago = (time: number) => new Date(Date.now() - time).toISOString()

const messages = {
  notNeeded: {
    en: 'This community does not take requests at the moment. Please load the page again.',
    ja: 'このコミュニティーでは今、参加の申し込みを受け付けていません。ページを再読み込みしてください。',
  },
  badLink: {
    en: 'This link is not valid, or it has expired. Please ask to join again.',
    ja: 'このリンクは無効か、有効期限が切れています。もう一度お申し込みください。',
  },
}

/**
 * 403 otherwise. Before all checks that look for accounts, so that the response does not reveal whether an
 * address has one.
 */
function requireApprovalCommunity(settings: SettingsStore) {
  if (settings.current().who_can_join !== 'approval') throw new HttpError(403, messages.notNeeded)
}

/** Only one transaction at a time changes which requests wait for an admin. */
const acquireRequestsLock = (tx: Tx) => lockName(tx, 'join requests')

/**
 * Resolves to the token with which the browser reads the state. Without a mail server, the request waits at
 * once, with an unverified address. The same whether the address has an account, a request, or neither. 403
 * if the community takes no requests, 422 for a common password.
 */
export async function create(context: RequestContext<(typeof joinEndpoints)['create']>) {
  const { db, config, settings, client, lang, input, session } = context
  requireApprovalCommunity(settings)
  const password_hash = await credentials.hashNew(input.password, client.network)
  const { name, reading, email, answer } = input
  const canSendMail = Boolean(config.SMTP_URL)
  const [token, mailToken] = [randomToken(), randomToken()]
  await transaction(db, async (tx) => {
    requireApprovalCommunity(settings)
    await acquireRequestsLock(tx)
    if (canSendMail) await sendFirstMail(context, tx, { name, email, lang, token: mailToken })
    const now = isoNow()
    const { join_question: question } = settings.current()
    const hashes = {
      token_hash: hashToken(token),
      mail_token_hash: hashToken(mailToken),
      password_hash,
      browser_hash: hashToken(session.token),
    }
    const request = {
      name,
      reading,
      email,
      email_key: foldAddress(email),
      question,
      answer,
      lang,
      created_at: now,
    }
    const { id } = await tx
      .insertInto('join_requests')
      .values({ ...request, ...hashes, entered_at: canSendMail ? null : now })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (!canSendMail) await enter(context, tx, id)
  })
  return token
}

/**
 * Mails the link, or says that the address has an account. Nothing if MAX_MAILS requests named the address
 * within a day, so that nobody can fill a mailbox.
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
    .where('email_key', '=', foldAddress(email))
    .where('created_at', '>', ago(VERIFY_LIFETIME))
    .limit(MAX_MAILS)
    .execute()
  const isTaken = await credentials.isEmailTaken(tx, email)
  if (recent.length === MAX_MAILS) return
  const mail = isTaken
    ? joinMails.hasAccount(context, recipient)
    : joinMails.verification(context, recipient, token)
  await mailLimits.enqueue(context.config, tx, null, mail)
}

/**
 * Shows the request to the admins, and deletes others with the address, because the owner of the mailbox has
 * chosen this one. 403 if the token is not valid.
 */
export const verify = (
  context: AppContext & { session: { token: string } },
  token: string,
): Promise<JoinState> =>
  transaction(context.db, async (tx) => {
    await acquireRequestsLock(tx)
    const now = isoNow()
    const verified = await tx
      .updateTable('join_requests')
      .set({ verified_at: now, entered_at: now })
      .where('mail_token_hash', '=', hashToken(token))
      .where('entered_at', 'is', null)
      .where('created_at', '>', ago(VERIFY_LIFETIME))
      .returning(['id', 'email_key'])
      .executeTakeFirst()
    await proveJoinRequest(tx, token, context.session.token)
    if (!verified) {
      const { state } = await getState(tx, token)
      // The token was used before.
      if (state !== 'ended' && state !== 'unverified') return { state }
      throw new HttpError(403, messages.badLink)
    }
    await removeOthers(context, tx, verified.email_key, verified.id)
    await enter(context, tx, verified.id)
    return { state: 'waiting' }
  })

/** This browser sent the request, so the owner of the mailbox has chosen its password. */
const proveJoinRequest = (tx: Tx, mailToken: string, browser: string) =>
  tx
    .updateTable('join_requests')
    .set({ proven_at: isoNow() })
    .where('mail_token_hash', '=', hashToken(mailToken))
    .where('browser_hash', '=', hashToken(browser))
    .where('verified_at', 'is not', null)
    .where('proven_at', 'is', null)
    .execute()

async function enter({ emit }: AppContext, tx: Tx, id: number) {
  await emit(tx, 'join_request.entered', { id })
  await joinNotices.enqueue(tx)
}

export async function removeOthers({ emit }: AppContext, tx: Tx, email_key: string, except: number) {
  const removed = await tx
    .deleteFrom('join_requests')
    .where('email_key', '=', email_key)
    .where('id', '!=', except)
    .returning('id')
    .execute()
  for (const { id } of removed) await emit(tx, 'join_request.ended', { id })
}

/** `token` is that of the browser or of the mail. */
export async function getState(db: Db, token: string): Promise<JoinState> {
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
 * With it, the log-in tells only the person who knows the password that the request waits. Undefined without
 * one. Unverified ones do not count: a stranger may have made one to learn whether the address has an
 * account.
 */
export const findHash = (db: Db, email: string) =>
  db
    .selectFrom('join_requests')
    .select('password_hash')
    .where('email_key', '=', foldAddress(email))
    .where('verified_at', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

export const deleteOld = ({ db, emit }: Pick<AppContext, 'db' | 'emit'>) =>
  transaction(db, async (tx) => {
    await tx
      .deleteFrom('join_requests')
      .where('entered_at', 'is', null)
      .where('created_at', '<=', ago(VERIFY_LIFETIME))
      .execute()
    const ended = await tx
      .deleteFrom('join_requests')
      .where('entered_at', '<=', ago(REQUEST_LIFETIME))
      .returning('id')
      .execute()
    for (const { id } of ended) await emit(tx, 'join_request.ended', { id })
    await tx.deleteFrom('join_decisions').where('decided_at', '<=', ago(REQUEST_LIFETIME)).execute()
  })
