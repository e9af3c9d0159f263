import { type AppContext, withoutRoles } from '#core/context.ts'
import type { Db } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { RetryLater, type RunningJob, startJobRunner } from '#core/jobs/runner.ts'
import { createJobTurns, JOBS_WITH_TURNS } from '#core/jobs/turns.ts'
import { findUnreadMessage, type UnreadMessage, whyNotPushed } from '#features/messages/for-push.ts'
import type { Notification, NotificationKind } from '#features/notifications/contract.ts'
import * as ownNotifications from '#features/notifications/read.ts'
import * as notificationSettings from '#features/notifications/settings.ts'
import { languageOf } from '#features/people/languages.ts'
import * as sessions from '#features/people/sessions.ts'
import type { PushDropReason } from './events.ts'
import { createSender, NotAnsweringError } from './pauses.ts'
import { messagePayload, noticePayload, type PushPayload, summaryPayload } from './payload.ts'
import { type PushAnswer, sendPushRequest } from './push-service.ts'
import * as queue from './queue.ts'
import * as read from './read.ts'
import * as results from './results.ts'

type Item = Awaited<ReturnType<typeof queue.get>>[number]
type Subscription = NonNullable<Awaited<ReturnType<typeof findSubscription>>> & { name: string | null }

/**
 * In ms, about ten hours in total. Items stay in the queue if all fail: the job for the next item sends them
 * too, unless they have become too old.
 */
const RETRY_DELAYS = [10, 60, 300, 900, 3600, 10_800, 21_600].map((seconds) => seconds * 1000)
/** In ms. One attempt sends at most the queue of one device. */
const TIMES = { attemptTimeout: 60_000, lease: 120_000 }
/** Jobs that one process keeps, and those of them that may repeat a failed delivery. */
const DELIVERY_CONCURRENCY = { concurrency: JOBS_WITH_TURNS, retryConcurrency: 8 }
/** Jobs that send at the same time, each to one device. */
const DELIVERY_TURNS = { concurrency: 32, perMember: 2, perHost: 16 }

const findSubscription = (db: Db, id: number) =>
  db.selectFrom('push_subscriptions').selectAll().where('id', '=', id).executeTakeFirst()

type Content = { message: UnreadMessage } | { notification: Notification }

/** Or the reason why it is not to be sent any more. */
async function readContent(
  context: AppContext,
  { user_id }: Subscription,
  { kind, subject_id }: Item,
): Promise<Content | PushDropReason> {
  const viewer = withoutRoles(context, user_id)
  const isWanted = (of: NotificationKind | 'message') =>
    notificationSettings.isOn(context.db, user_id, of, 'push')
  if (kind === 'message') {
    const message = await findUnreadMessage(viewer, subject_id)
    if (!message) return whyNotPushed(viewer, subject_id)
    return (await isWanted('message')) ? { message } : 'switched_off'
  }
  const notification = await ownNotifications.findForPush(viewer, subject_id)
  if (!notification) return ownNotifications.whyNotPushed(viewer, subject_id)
  return (await isWanted(notification.kind)) ? { notification } : 'switched_off'
}

/** More than one make a summary. */
async function buildPayload(
  { db, publicSite }: AppContext,
  { user_id }: Subscription,
  contents: readonly Content[],
): Promise<PushPayload> {
  const [lang, privacy] = await Promise.all([languageOf(db, user_id, 'en'), read.getPrivacy(db, user_id)])
  const recipient = { user_id, lang, privacy }
  const messages = contents.flatMap((content) => ('message' in content ? content.message : []))
  const notifications = contents.flatMap((content) => ('notification' in content ? content.notification : []))
  const [message] = messages
  const [notification] = notifications
  if (contents.length > 1) return summaryPayload(publicSite, recipient, messages, notifications)
  return message
    ? messagePayload(publicSite, recipient, message)
    : noticePayload(publicSite, recipient, notification!)
}

interface Sending {
  send: typeof sendPushRequest
  /** In ms. The next attempt is never later. */
  maxDelay: number
}

/** The push service is busy (429) or has an error (5xx). */
const isTemporary = ({ status }: PushAnswer) => status === 429 || status >= 500

/** Drops what is not to be sent any more, in one transaction for each reason. */
async function readContents(context: AppContext, device: Subscription, items: readonly Item[]) {
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
    await transaction(context.db, (tx) => results.drop(context, tx, device, some, reason))
  return { contents, sent }
}

/** Keeps items that a later attempt may send. False if the push service no longer knows the device. */
async function sendItems(
  context: AppContext,
  device: Subscription,
  { items, send, maxDelay }: Sending & { items: readonly Item[] },
  signal: AbortSignal,
) {
  const { contents, sent } = await readContents(context, device, items)
  const newest = sent.at(-1)
  if (!newest) return true
  const payload = await buildPayload(context, device, contents)
  const age = Date.now() - Date.parse(newest.created_at)
  const ttl = Math.max(60, Math.floor((queue.MAX_AGE - age) / 1000))
  const isUrgent = (content: Content) =>
    'message' in content || ['roll_call', 'roll_call_help'].includes(content.notification.kind)
  const urgency = contents.some(isUrgent) ? 'high' : 'normal'
  const answer = await send(context, device, { ttl, urgency, payload }, signal).catch(
    async (error: unknown) => {
      if (error instanceof NotAnsweringError) {
        const { reason, pausedUntil } = error
        await results.delay(context, device, sent, { reason, until: pausedUntil })
      }
      throw error
    },
  )
  const { status } = answer
  if (isTemporary(answer)) {
    // A push service may ask for any time, even one that no `Date` can hold.
    const retryAfter = answer.retryAfter === undefined ? null : Math.min(answer.retryAfter, maxDelay)
    const until = retryAfter === null ? null : new Date(Date.now() + retryAfter)
    await results.delay(context, device, sent, { reason: String(status), until })
    throw new RetryLater(`Status ${status}`, retryAfter ?? 0)
  }
  if (status === 404 || status === 410) {
    await results.deleteGone(context, device, status)
    return false
  }
  if (status >= 200 && status < 300) await results.accept(context, device, sent)
  else {
    context.log.warn({ status, kind: newest.kind }, 'A push service refused a message')
    await results.refuse(context, device, sent, status)
  }
  return true
}

/**
 * Oldest item first. During quiet hours, all but urgent items wait, and are then one push message. Throws if a
 * later attempt may send what could not be sent.
 */
async function sendQueue(context: AppContext, subscription: number, sending: Sending, signal: AbortSignal) {
  const { db } = context
  const found = await findSubscription(db, subscription)
  if (!found) return
  const items = await queue.get(db, subscription)
  if (!items[0]) return
  const device = { ...found, name: await sessions.findDevice(db, found.session_hash) }
  const quietEnd = await notificationSettings.findQuietEnd(context, device.user_id)
  if (quietEnd) {
    const urgent = await ownNotifications.listUrgent(
      db,
      items.filter(({ kind }) => kind === 'notification').map(({ subject_id }) => subject_id),
    )
    for (const item of items)
      if (item.kind === 'notification' && urgent.includes(item.subject_id))
        if (!(await sendItems(context, device, { ...sending, items: [item] }, signal))) return
    return queue.hold(context, device, quietEnd)
  }
  await queue.dropBefore(context, device, items[0].id)
  const held = items.filter(({ held_until }) => held_until !== null)
  const others = items.filter(({ held_until }) => held_until === null).map((item) => [item])
  for (const together of held.length ? [held, ...others] : others) {
    signal.throwIfAborted()
    if (!(await sendItems(context, device, { ...sending, items: together }, signal))) return
  }
}

/**
 * Apart from other jobs, so that slow push services do not delay mail. Filling the queues has a runner of its
 * own: a new message gets its rows at once, however many deliveries are due. At most a quarter of the
 * parallel deliveries repeat failed ones. Members take turns, and no member and no push service can have all.
 * A push service that does not answer soon gets no requests for a while.
 *
 * At most one job for each device sends in this process: a device whose push service does not answer occupies
 * only one of them.
 */
export function startRunners(context: AppContext, retryDelays: readonly number[] = RETRY_DELAYS) {
  const { db, log } = context
  const send = createSender(sendPushRequest, retryDelays[0] ?? 0)
  const maxDelay = Math.max(0, ...retryDelays)
  const turns = createJobTurns(DELIVERY_TURNS)
  /** Devices to which this process is sending. True if items may have been added since the queue was read. */
  const running = new Map<number, boolean>()

  async function deliver({ subscription }: { subscription: number }, { signal }: RunningJob) {
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
        push_message: (message) => queue.addMessage(context, message),
        push_notification: (notification) => queue.addOne(context, notification),
        push_notifications: (notifications) => queue.addMany(context, notifications),
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
