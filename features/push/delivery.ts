import { type AppContext, createMemberContextWithoutRoles } from '#core/context.ts'
import type { Db } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import {
  JobFailureWithRetryDelay,
  type RunningJobIdAndAbortSignal,
  startJobRunner,
} from '#core/jobs/runner.ts'
import { createJobTurns, JOBS_WITH_TURNS } from '#core/jobs/turns.ts'
import {
  explainWhyMessageWasNotPushed,
  type MessageForPush,
  readUnreadMessageForPush,
} from '#features/chat/read-for-push.ts'
import type { Notification, NotificationKind } from '#features/notifications/contract.ts'
import {
  explainWhyNotificationWasNotPushed,
  readUnreadNotificationForPush,
} from '#features/notifications/read.ts'
import {
  findEndOfCurrentQuietHoursOfMember,
  isNotificationKindSwitchedOn,
} from '#features/notifications/settings.ts'
import { readMemberLanguage } from '#features/people/languages.ts'
import { readBrowserAndSystemTextOfSession } from '#features/people/sessions.ts'
import type { PushDropReason } from './events.ts'
import { createPushSenderWithCircuitBreaker, PushServiceNotAnsweringError } from './pauses.ts'
import {
  createMessagePushPayload,
  createNotificationPushPayload,
  createQuietHoursSummaryPushPayload,
  type PushPayload,
} from './payload.ts'
import { type PushServiceAnswer, sendPushRequest } from './push-service.ts'
import {
  addMessageToPushDeviceQueues,
  addNotificationsToPushDeviceQueues,
  addNotificationToPushDeviceQueues,
  dropPushItemsBeforeId,
  holdPushQueueUntil,
  MAX_PUSH_ITEM_AGE,
  readPushQueueOfDevice,
} from './queue.ts'
import { readPushPrivacy } from './read.ts'
import {
  deleteGonePushSubscription,
  dropPushItems,
  emitPushItemsDelayed,
  recordAcceptedAndDeletePushItems,
  recordRefusedAndDeletePushItems,
} from './results.ts'

type Item = Awaited<ReturnType<typeof readPushQueueOfDevice>>[number]
type Subscription = NonNullable<Awaited<ReturnType<typeof findSubscription>>> & { name: string | null }

/**
 * The delays in ms between the attempts to send the push queue of a device: about ten hours in total. If all
 * attempts fail, the items stay in the queue: the job for the next item sends them too, unless they have
 * become too old.
 */
const RETRY_DELAYS = [10, 60, 300, 900, 3600, 10_800, 21_600].map((seconds) => seconds * 1000)
/**
 * The limits of the job runners of push messages in ms. One attempt of a delivery job sends at most the
 * queue of one device.
 */
const TIMES = { attemptTimeout: 60_000, lease: 120_000 }
/** The number of delivery jobs that one process keeps, and how many of them may repeat a failed delivery. */
const DELIVERY_CONCURRENCY = { concurrency: JOBS_WITH_TURNS, retryConcurrency: 8 }
/** How many of these jobs send at the same time, each to one device. */
const DELIVERY_TURNS = { concurrency: 32, perMember: 2, perHost: 16 }

const findSubscription = (db: Db, id: number) =>
  db.selectFrom('push_subscriptions').selectAll().where('id', '=', id).executeTakeFirst()

/** The chat message or notification that an item in the push queue stands for. */
type Content = { message: MessageForPush } | { notification: Notification }

/**
 * Reads the chat message or notification that an item in the push queue stands for. If it is not to be sent
 * any more, returns the reason instead: for example, the member has read it, may not see it, or does not want
 * push messages of this kind.
 */
async function readContent(
  context: AppContext,
  { user_id }: Subscription,
  { kind, subject_id }: Item,
): Promise<Content | PushDropReason> {
  const viewer = createMemberContextWithoutRoles(context, user_id)
  const isWanted = (of: NotificationKind | 'message') =>
    isNotificationKindSwitchedOn(context.db, user_id, of, 'push')
  if (kind === 'message') {
    const message = await readUnreadMessageForPush(viewer, subject_id)
    if (!message) return explainWhyMessageWasNotPushed(viewer, subject_id)
    return (await isWanted('message')) ? { message } : 'switched_off'
  }
  const notification = await readUnreadNotificationForPush(viewer, subject_id)
  if (!notification) return explainWhyNotificationWasNotPushed(viewer, subject_id)
  return (await isWanted(notification.kind)) ? { notification } : 'switched_off'
}

/**
 * Builds the push message for one or more chat messages and notifications. If there is more than one, it is a
 * summary.
 */
async function buildPayload(
  { db, publicSite }: AppContext,
  { user_id }: Subscription,
  contents: readonly Content[],
): Promise<PushPayload> {
  const [lang, privacy] = await Promise.all([
    readMemberLanguage(db, user_id, 'en'),
    readPushPrivacy(db, user_id),
  ])
  const recipient = { user_id, lang, privacy }
  const messages = contents.flatMap((content) => ('message' in content ? content.message : []))
  const notifications = contents.flatMap((content) => ('notification' in content ? content.notification : []))
  const [message] = messages
  const [notification] = notifications
  if (contents.length > 1)
    return createQuietHoursSummaryPushPayload(publicSite, recipient, messages, notifications)
  return message
    ? createMessagePushPayload(publicSite, recipient, message)
    : createNotificationPushPayload(publicSite, recipient, notification!)
}

interface Sending {
  send: typeof sendPushRequest
  /**
   * The longest delay of the job runner in ms. The next attempt to send is never later than after this delay.
   */
  maxDelay: number
}

/**
 * Returns whether the same request may succeed later: the push service is busy (429) or has an error (5xx).
 */
const isTemporary = ({ status }: PushServiceAnswer) => status === 429 || status >= 500

/**
 * Reads the messages and notifications that items in the push queue stand for, and that are still to be sent.
 * Removes the other items from the queue, in one transaction for each reason.
 */
async function readContentsAndDropOthers(context: AppContext, device: Subscription, items: readonly Item[]) {
  const contents: Content[] = []
  const sent: Item[] = []
  const dropped = new Map<PushDropReason, Item[]>()
  for (const item of items) {
    const content = await readContent(context, device, item)
    if (typeof content === 'string') dropped.set(content, [...(dropped.get(content) ?? []), item])
    else {
      contents.push(content)
      sent.push(item)
    }
  }
  for (const [reason, some] of dropped)
    await transaction(context.db, (tx) => dropPushItems(context, tx, device, some, reason))
  return { contents, sent }
}

/**
 * Sends one push message about the given items, and removes the items from the queue unless a later attempt
 * may succeed. Returns false if the push service no longer knows the device.
 */
async function sendItems(
  context: AppContext,
  device: Subscription,
  { items, send, maxDelay }: Sending & { items: readonly Item[] },
  signal: AbortSignal,
) {
  const { contents, sent } = await readContentsAndDropOthers(context, device, items)
  const newest = sent.at(-1)
  if (!newest) return true
  const payload = await buildPayload(context, device, contents)
  const age = Date.now() - Date.parse(newest.created_at)
  const ttl = Math.max(60, Math.floor((MAX_PUSH_ITEM_AGE - age) / 1000))
  const urgency = sent.some(({ kind }) => kind === 'message') ? 'high' : 'normal'
  const answer = await send(context, device, { ttl, urgency, payload }, signal).catch(
    async (error: unknown) => {
      if (error instanceof PushServiceNotAnsweringError) {
        const { reason, pausedUntil } = error
        await emitPushItemsDelayed(context, device, sent, { reason, until: pausedUntil })
      }
      throw error
    },
  )
  const { status } = answer
  if (isTemporary(answer)) {
    // Limits the delay that the push service asks for, because it may ask for any time, even one that no
    // `Date` can hold.
    const retryAfter = answer.retryAfter === undefined ? null : Math.min(answer.retryAfter, maxDelay)
    const until = retryAfter === null ? null : new Date(Date.now() + retryAfter)
    await emitPushItemsDelayed(context, device, sent, { reason: String(status), until })
    throw new JobFailureWithRetryDelay(`Status ${status}`, retryAfter ?? 0)
  }
  if (status === 404 || status === 410) {
    await deleteGonePushSubscription(context, device, status)
    return false
  }
  if (status >= 200 && status < 300) await recordAcceptedAndDeletePushItems(context, device, sent)
  else {
    context.log.warn({ status, kind: newest.kind }, 'A push service refused a message')
    await recordRefusedAndDeletePushItems(context, device, sent, status)
  }
  return true
}

/**
 * Sends the push queue of a device, oldest item first. During quiet hours, sends nothing and makes the items
 * wait. Sends the items that have waited for the end of quiet hours in one push message. Throws an error if
 * an item could not be sent and a later attempt may send it and the rest.
 */
async function sendQueue(context: AppContext, subscription: number, sending: Sending, signal: AbortSignal) {
  const { db } = context
  const found = await findSubscription(db, subscription)
  if (!found) return
  const items = await readPushQueueOfDevice(db, subscription)
  if (!items[0]) return
  const device = { ...found, name: await readBrowserAndSystemTextOfSession(db, found.session_hash) }
  const quietEnd = await findEndOfCurrentQuietHoursOfMember(context, device.user_id)
  if (quietEnd) return holdPushQueueUntil(context, device, quietEnd)
  await dropPushItemsBeforeId(context, device, items[0].id)
  const held = items.filter(({ held_until }) => held_until !== null)
  const others = items.filter(({ held_until }) => held_until === null).map((item) => [item])
  for (const together of held.length ? [held, ...others] : others) {
    signal.throwIfAborted()
    if (!(await sendItems(context, device, { ...sending, items: together }, signal))) return
  }
}

/**
 * Starts separate job runners for push messages, so that slow push services do not delay mail. The jobs that
 * add messages and notifications to the queues have a runner of their own, so a new message gets its rows in
 * the queues at once, however many deliveries are due before it. Of the parallel deliveries, at most a
 * quarter repeat failed ones. Members take turns, and no member and no push service can have all parallel
 * deliveries. A push service that does not answer soon gets no requests for a while, so that it delays no
 * others.
 *
 * At most one job for each device sends in this process. So a device whose push service does not answer
 * occupies only one of the parallel jobs, however many messages wait for it.
 */
export function startPushJobRunners(context: AppContext, retryDelays: readonly number[] = RETRY_DELAYS) {
  const { db, log } = context
  const send = createPushSenderWithCircuitBreaker(sendPushRequest, retryDelays[0] ?? 0)
  const maxDelay = Math.max(0, ...retryDelays)
  const turns = createJobTurns(DELIVERY_TURNS)
  /**
   * The ids of the devices to which this process is sending. The value is true if items may have been added
   * to the queue of the device after it was read.
   */
  const running = new Map<number, boolean>()

  async function deliver({ subscription }: { subscription: number }, { signal }: RunningJobIdAndAbortSignal) {
    if (running.has(subscription)) return void running.set(subscription, true)
    running.set(subscription, false)
    try {
      const device = await findSubscription(db, subscription)
      if (!device) return
      const owner = { member: device.user_id, host: new URL(device.endpoint).host }
      do {
        running.set(subscription, false)
        const work = () => sendQueue(context, subscription, { send, maxDelay }, signal)
        await turns.run(owner, work, signal)
      } while (running.get(subscription))
    } finally {
      running.delete(subscription)
    }
  }

  const runners = [
    startJobRunner({
      db,
      log,
      handlers: {
        push_message: (message) => addMessageToPushDeviceQueues(context, message),
        push_notification: (notification) => addNotificationToPushDeviceQueues(context, notification),
        push_notifications: (notifications) => addNotificationsToPushDeviceQueues(context, notifications),
      },
      retryDelays,
      ...TIMES,
    }),
    startJobRunner({
      db,
      log,
      handlers: { push_delivery: deliver, push_summary: deliver },
      retryDelays,
      ...DELIVERY_CONCURRENCY,
      ...TIMES,
    }),
  ]
  return { close: () => Promise.all(runners.map((runner) => runner.close())) }
}
