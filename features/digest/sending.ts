import './events.ts'
import type { AppContext } from '#core/context.ts'
import { currentIsoTime, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { DomainEvents } from '#core/domain-events.ts'
import {
  JobFailureWithRetryDelay,
  PermanentJobFailure,
  type RunningJobIdAndAbortSignal,
} from '#core/jobs/runner.ts'
import { createMailJobHandler } from '#core/mail/transports.ts'
import { findEndOfCurrentQuietHoursOfMember } from '#features/notifications/settings.ts'
import { hasMemberWithId } from '#features/people/deletion.ts'
import { readMemberLanguage } from '#features/people/languages.ts'
import { readNameHandleEmailAndVerifiedTime } from '#features/people/read.ts'
import { createDigestMail } from './mails.ts'
import {
  type DigestMemberIdAndPeriod,
  isDigestStillDue,
  readNewNotificationsAndUnreadCountsForDigest,
} from './model.ts'
import { createDigestUnsubscribeToken } from './settings.ts'

/**
 * Builds the mail of a digest from what is new for the member now. Returns undefined if nothing is new any
 * more, or if the member has visited, was suspended, has no verified email address any more, or no longer
 * wants digests of this frequency.
 */
async function buildMail(context: AppContext, digest: DigestMemberIdAndPeriod) {
  const { db, settings, publicSite } = context
  const { user } = digest
  const recipient = await readNameHandleEmailAndVerifiedTime(db, user)
  if (!recipient?.email || !(await isDigestStillDue(context, digest))) return undefined
  const content = await readNewNotificationsAndUnreadCountsForDigest(context, digest)
  if (!content) return undefined
  const lang = await readMemberLanguage(db, user, settings.current().default_language ?? 'en')
  const { name, email } = recipient
  const token = createDigestUnsubscribeToken(context, user)
  return createDigestMail(publicSite, lang, { name, email, token, ...content })
}

const updateDigest = (tx: Tx, { user, period }: DigestMemberIdAndPeriod) =>
  tx.updateTable('digests').where('user_id', '=', user).where('period', '=', period)

/**
 * Stores in the table `digests` that an attempt to send the digest begins. Returns false, and stores nothing,
 * if an earlier attempt began and no failure was stored: it succeeded, or the process was killed during it.
 */
const beginAttempt = (context: AppContext, digest: DigestMemberIdAndPeriod) =>
  transaction(context.db, async (tx) => {
    const { numUpdatedRows } = await updateDigest(tx, digest)
      .set({ sending_since: currentIsoTime() })
      .where('sending_since', 'is', null)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0
  })

/**
 * Sends a digest with the news that the member may see when the job runs. During the member's quiet hours,
 * throws an error that delays the job until they end. If the process is killed while the mail server takes
 * the mail, the server may have the mail or not. Then the digest is not sent again, because a member must not
 * get a digest twice. The news of the lost digest is still unread in the app.
 */
export async function sendDigest(
  context: AppContext,
  digest: DigestMemberIdAndPeriod,
  job: RunningJobIdAndAbortSignal,
) {
  const { db, log } = context
  const { user: user_id } = digest
  const mail = await buildMail(context, digest)
  if (!mail) return announce(context, 'digest.dropped', { user_id, reason: 'not_needed' })
  const quietEnd = await findEndOfCurrentQuietHoursOfMember(context, user_id)
  if (quietEnd) {
    await announce(context, 'digest.deferred', {
      user_id,
      reason: 'quiet_hours',
      until: quietEnd.toISOString(),
    })
    throw new JobFailureWithRetryDelay('Quiet hours', quietEnd.getTime() - Date.now())
  }
  if (!(await beginAttempt(context, digest))) {
    log.warn({ user: user_id }, 'A digest was broken off while it was sent; it is not sent again')
    return announce(context, 'digest.dropped', { user_id, reason: 'broken_off' })
  }
  const send = createMailJobHandler(context, (id) => hasMemberWithId(db, id))
  try {
    await send({ user_id, ...mail }, job)
  } catch (error) {
    await recordFailure(context, digest, error)
    throw error
  }
  await transaction(db, async (tx) => {
    await updateDigest(tx, digest).set({ sent_at: currentIsoTime() }).execute()
    await context.emit(tx, 'digest.sent', { user_id })
  })
}

/** Emits a domain event about a digest in a transaction of its own. */
const announce = <E extends 'digest.deferred' | 'digest.dropped'>(
  { db, emit }: AppContext,
  name: E,
  event: DomainEvents[E],
) => transaction(db, (tx) => emit(tx, name, event))

/**
 * Stores that an attempt to send a digest failed, so that the next attempt may send it, and emits the event
 * about it.
 */
const recordFailure = ({ db, emit }: AppContext, digest: DigestMemberIdAndPeriod, error: unknown) =>
  transaction(db, async (tx) => {
    const { user: user_id } = digest
    await updateDigest(tx, digest).set({ sending_since: null }).execute()
    if (error instanceof PermanentJobFailure) await emit(tx, 'digest.dropped', { user_id, reason: 'refused' })
    else await emit(tx, 'digest.deferred', { user_id, reason: 'mail_server', until: null })
  })
