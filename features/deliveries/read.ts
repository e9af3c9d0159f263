import type { MemberContext } from '#core/context.ts'
import { httpErrorFactories } from '#core/http/errors.ts'
import type { PagedResponse } from '#core/http/pagination.ts'
import {
  type ChatMessageByOtherPerson,
  listPageOfChatMessagesByOtherPeople,
  readChatMessageByOtherPerson,
} from '#features/chat/read-for-deliveries.ts'
import type { Notification } from '#features/notifications/contract.ts'
import { findOwnNotification, listNotifications } from '#features/notifications/read.ts'
import { DELIVERY_TRACE_RETENTION_DAYS, type MessageOrNotificationWithDeliverySteps } from './contract.ts'
import { readDeliveryStepsLookupFunction, type TracedMessageOrNotification } from './traces.ts'

const DAY = 24 * 3600_000

type Item = { message: ChatMessageByOtherPerson } | { notification: Notification }

const timeOf = (item: Item) => ('message' in item ? item.message.created_at : item.notification.updated_at)

const toTracedItem = (item: Item): TracedMessageOrNotification =>
  'message' in item
    ? { kind: 'message', notificationKind: null, announcedPost: null, ...pickTraced(item.message) }
    : {
        kind: 'notification',
        notificationKind: item.notification.kind,
        announcedPost:
          item.notification.kind === 'announcement' ? (item.notification.post?.id ?? null) : null,
        id: item.notification.id,
        created_at: item.notification.updated_at,
        is_muted: false,
      }

const pickTraced = ({ id, created_at, is_muted }: ChatMessageByOtherPerson) => ({ id, created_at, is_muted })

/** Returns the messages and notifications with the steps of their delivery. */
async function toDeliveries(
  viewer: MemberContext,
  items: readonly Item[],
): Promise<MessageOrNotificationWithDeliverySteps[]> {
  const stepsOf = await readDeliveryStepsLookupFunction(viewer, items.map(toTracedItem))
  return items.map((item): MessageOrNotificationWithDeliverySteps => {
    const steps = stepsOf(toTracedItem(item))
    if ('message' in item) {
      const { is_muted: _, ...message } = item.message
      return { kind: 'message', ...message, steps }
    }
    const { notification } = item
    const { id, updated_at: created_at, is_read } = notification
    return { kind: 'notification', id, created_at, is_read, notification, steps }
  })
}

interface DeliveryPage {
  before_message?: number | undefined
  before_notification?: number | undefined
  limit: number
}

/**
 * Lists the messages of other people and the viewer's notifications of the last days, newest first, with the
 * steps of their delivery. Merges a list of messages and a list of notifications; the cursor of the next page
 * has the position in both lists.
 */
export async function listMessagesAndNotificationsWithDeliverySteps(
  viewer: MemberContext,
  { before_message, before_notification, limit }: DeliveryPage,
): Promise<PagedResponse<MessageOrNotificationWithDeliverySteps[]>> {
  const since = new Date(Date.now() - DELIVERY_TRACE_RETENTION_DAYS * DAY).toISOString()
  const [messages, notifications] = await Promise.all([
    listPageOfChatMessagesByOtherPeople(viewer, { before: before_message, since, limit }),
    listNotifications(viewer, { before: before_notification, limit }),
  ])
  const recent = notifications.body.filter(({ updated_at }) => updated_at > since)
  const merged: Item[] = [
    ...messages.rows.map((message) => ({ message })),
    ...recent.map((notification) => ({ notification })),
  ].toSorted((a, b) => Date.parse(timeOf(b)) - Date.parse(timeOf(a)))
  const shown = merged.slice(0, limit)
  const shownMessages = shown.flatMap((item) => ('message' in item ? item.message : []))
  const shownNotifications = shown.flatMap((item) => ('notification' in item ? item.notification : []))
  // A page of messages may be empty, because the viewer may see none of these messages. Then the next page
  // begins after them.
  const isEachMessageShown = shownMessages.length === messages.rows.length
  const lastMessage = isEachMessageShown ? messages.oldest : shownMessages.at(-1)?.id
  const hasMoreNotifications = notifications.next !== null && recent.length === notifications.body.length
  const isAdvanced = shown.length > 0 || messages.oldest !== undefined
  const hasMore = isAdvanced && (merged.length > limit || messages.hasMore || hasMoreNotifications)
  return {
    body: await toDeliveries(viewer, shown),
    next: hasMore
      ? toCursor({
          before_message: lastMessage ?? before_message,
          before_notification: shownNotifications.at(-1)?.last_event_id ?? before_notification,
        })
      : null,
  }
}

/** Returns the fields that are not undefined, which are the cursor of the next page. */
const toCursor = (fields: Record<string, number | undefined>) =>
  Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, number] => field[1] !== undefined),
  )

/**
 * Reads a message of another person with the steps of its delivery. Throws 404 if the viewer may not see the
 * message.
 */
export async function readMessageWithDeliverySteps(viewer: MemberContext, id: number) {
  const message = await readChatMessageByOtherPerson(viewer, id)
  if (!message) throw httpErrorFactories.notFound()
  return (await toDeliveries(viewer, [{ message }]))[0]!
}

/**
 * Reads a notification of the viewer with the steps of its delivery. Throws 404 if the viewer has no such
 * notification.
 */
export async function readNotificationWithDeliverySteps(viewer: MemberContext, id: number) {
  const notification = await findOwnNotification(viewer, id)
  if (!notification) throw httpErrorFactories.notFound()
  return (await toDeliveries(viewer, [{ notification }]))[0]!
}
