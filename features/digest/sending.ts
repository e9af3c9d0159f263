import './events.ts'
import type { AppContext } from '#core/context.ts'
import { isoNow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { DomainEvents } from '#core/feature/events.ts'
import { PermanentFailure, RetryLater, type RunningJob } from '#core/jobs/runner.ts'
import { mailHandler } from '#core/mail/transports.ts'
import * as notificationSettings from '#features/notifications/settings.ts'
import { hasMember } from '#features/people/deletion.ts'
import { languageOf } from '#features/people/languages.ts'
import * as people from '#features/people/read.ts'
import { renderDigest } from './mails.ts'
import { type DigestKey, getNews, isStillDue, listSections } from './model.ts'
import * as digestSettings from './settings.ts'

/** Undefined if nothing is new any more, or the digest is no longer due. */
async function buildMail(context: AppContext, digest: DigestKey) {
  const { db, settings, publicSite } = context
  const { user } = digest
  const recipient = await people.findRecipient(db, user)
  if (!recipient?.email || !(await isStillDue(context, digest))) return undefined
  const content = await getNews(context, digest)
  if (!content) return undefined
  const lang = await languageOf(db, user, settings.current().default_language ?? 'en')
  const { name, email } = recipient
  const token = digestSettings.createToken(context, user)
  const { since, messages, chats } = content
  const sections = await listSections(context, user, lang, since)
  return renderDigest(publicSite, lang, { name, email, token, sections, messages, chats })
}

const updateDigest = (tx: Tx, { user, period }: DigestKey) =>
  tx.updateTable('digests').where('user_id', '=', user).where('period', '=', period)

/** False if an earlier attempt has no stored failure: it succeeded, or the process was killed in it. */
const beginAttempt = (context: AppContext, digest: DigestKey) =>
  transaction(context.db, async (tx) => {
    const { numUpdatedRows } = await updateDigest(tx, digest)
      .set({ sending_since: isoNow() })
      .where('sending_since', 'is', null)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0
  })

/**
 * During quiet hours, throws an error that delays the job until they end. If the process is killed while the
 * mail server takes the mail, it is not sent again: a member must not get a digest twice, and the news is
 * still unread in the app.
 */
export async function sendDigest(context: AppContext, digest: DigestKey, job: RunningJob) {
  const { db, log } = context
  const { user: user_id } = digest
  const mail = await buildMail(context, digest)
  if (!mail) return announce(context, 'digest.dropped', { user_id, reason: 'not_needed' })
  const quietEnd = await notificationSettings.findQuietEnd(context, user_id)
  if (quietEnd) {
    await announce(context, 'digest.deferred', {
      user_id,
      reason: 'quiet_hours',
      until: quietEnd.toISOString(),
    })
    throw new RetryLater('Quiet hours', quietEnd.getTime() - Date.now())
  }
  if (!(await beginAttempt(context, digest))) {
    log.warn({ user: user_id }, 'A digest was broken off while it was sent; it is not sent again')
    return announce(context, 'digest.dropped', { user_id, reason: 'broken_off' })
  }
  const send = mailHandler(context, (id) => hasMember(db, id))
  try {
    await send({ user_id, ...mail }, job)
  } catch (error) {
    await recordFailure(context, digest, error)
    throw error
  }
  await transaction(db, async (tx) => {
    await updateDigest(tx, digest).set({ sent_at: isoNow() }).execute()
    await context.emit(tx, 'digest.sent', { user_id })
  })
}

/** In a transaction of its own. */
const announce = <E extends 'digest.deferred' | 'digest.dropped'>(
  { db, emit }: AppContext,
  name: E,
  event: DomainEvents[E],
) => transaction(db, (tx) => emit(tx, name, event))

/** The next attempt may send it. */
const recordFailure = ({ db, emit }: AppContext, digest: DigestKey, error: unknown) =>
  transaction(db, async (tx) => {
    const { user: user_id } = digest
    await updateDigest(tx, digest).set({ sending_since: null }).execute()
    if (error instanceof PermanentFailure) await emit(tx, 'digest.dropped', { user_id, reason: 'refused' })
    else await emit(tx, 'digest.deferred', { user_id, reason: 'mail_server', until: null })
  })
