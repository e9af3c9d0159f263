import { type AppContext, createMemberContextWithoutRoles } from '#core/context.ts'
import type { Db } from '#core/database/database.ts'
import { DelayedJobFailure, type RunningJob, startJobRunner } from '#core/jobs/runner.ts'
import { readUnreadMessage } from '#features/chat/read-for-push.ts'
import { readUnreadNotification } from '#features/notifications/read.ts'
import { readMemberLanguage } from '#features/people/languages.ts'
import { deleteGoneSubscription, recordSent } from './model.ts'
import { createMessagePayload, createNotificationPayload, type PushPayload } from './payload.ts'
import { type PushAnswer, sendPushRequest } from './push-service.ts'
import { addMessageToQueues, deleteItem, deleteItemsBefore, MAX_ITEM_AGE, readQueue } from './queue.ts'
import { readPrivacy } from './read.ts'

type Item = Awaited<ReturnType<typeof readQueue>>[number]
type Subscription = NonNullable<Awaited<ReturnType<typeof findSubscription>>>

/**
 * Milliseconds between the attempts to send the queue of a device: about ten hours in total. The items of a
 * device that failed for so long are dropped by their age, or are sent with the next one.
 */
const RETRY_DELAYS = [10, 60, 300, 900, 3600, 10_800, 21_600].map((seconds) => seconds * 1000)
/**
 * How many devices one process sends to at once, and the times of a job in ms. An attempt sends at most the
 * whole queue of one device.
 */
const OPTIONS = { concurrency: 16, attemptTimeout: 60_000, lease: 120_000 }

const findSubscription = (db: Db, id: number) =>
  db.selectFrom('push_subscriptions').selectAll().where('id', '=', id).executeTakeFirst()

/**
 * Builds what an item shows to the member now; undefined if the member has read it, or may not see it any
 * more.
 */
async function readPayload(
  context: AppContext,
  { user_id }: Subscription,
  { kind, subject_id }: Item,
): Promise<PushPayload | undefined> {
  const { db, publicSite } = context
  const viewer = createMemberContextWithoutRoles(context, user_id)
  const [lang, privacy] = await Promise.all([readMemberLanguage(db, user_id, 'en'), readPrivacy(db, user_id)])
  if (kind === 'message') {
    const message = await readUnreadMessage(viewer, subject_id)
    return message && createMessagePayload(publicSite, lang, privacy, message)
  }
  const notification = await readUnreadNotification(viewer, subject_id)
  return notification && createNotificationPayload(publicSite, lang, privacy, notification)
}

/** Throws if the same request may succeed later: the push service is busy (429) or failed (5xx). */
function assertFinalAnswer({ status, retryAfter = 0 }: PushAnswer) {
  if (status === 429 || status >= 500) throw new DelayedJobFailure(`Status ${status}`, retryAfter)
}

/** Sends an item. Returns false if the push service does not know the device any more. */
async function sendItem(context: AppContext, device: Subscription, item: Item, signal: AbortSignal) {
  const { db, config, log } = context
  const payload = await readPayload(context, device, item)
  if (!payload) {
    await deleteItem(db, item.id)
    return true
  }
  const ttl = Math.max(60, Math.floor((Date.parse(item.created_at) + MAX_ITEM_AGE - Date.now()) / 1000))
  const urgency = item.kind === 'message' ? 'high' : 'normal'
  const answer = await sendPushRequest(config, device, { ttl, urgency, payload }, signal)
  if (answer.status === 404 || answer.status === 410) {
    await deleteGoneSubscription(db, device)
    return false
  }
  assertFinalAnswer(answer)
  if (answer.status >= 200 && answer.status < 300) await recordSent(db, device.id, item.id)
  else {
    // The push service would refuse the same request again.
    log.warn({ status: answer.status, kind: item.kind }, 'A push service refused a message')
    await deleteItem(db, item.id)
  }
  return true
}

/** Sends the queue of a device, oldest item first. Throws if a later attempt may send the rest. */
async function sendQueue(context: AppContext, subscription: number, signal: AbortSignal) {
  const { db } = context
  const device = await findSubscription(db, subscription)
  if (!device) return
  const items = await readQueue(db, subscription)
  if (items[0]) await deleteItemsBefore(db, subscription, items[0].id)
  for (const item of items) {
    signal.throwIfAborted()
    if (!(await sendItem(context, device, item, signal))) return
  }
}

/**
 * Runs the jobs of push messages. It has a job runner of its own, so that slow push services do not delay
 * mail. Of each device at most one job runs in this process: a device that does not answer takes one place of
 * many, however many messages wait for it.
 */
export function startPushJobs(context: AppContext, retryDelays: readonly number[] = RETRY_DELAYS) {
  /** The devices to which this process sends, and whether there may be something new in their queues. */
  const running = new Map<number, boolean>()

  async function deliver({ subscription }: { subscription: number }, { signal }: RunningJob) {
    if (running.has(subscription)) return void running.set(subscription, true)
    try {
      do {
        running.set(subscription, false)
        await sendQueue(context, subscription, signal)
      } while (running.get(subscription))
    } finally {
      running.delete(subscription)
    }
  }

  return startJobRunner({
    db: context.db,
    log: context.log,
    handlers: { push_message: (message) => addMessageToQueues(context, message), push_delivery: deliver },
    retryDelays,
    ...OPTIONS,
  })
}
