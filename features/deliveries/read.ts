import type { MemberContext } from '#core/context.ts'
import { httpErrors } from '#core/http/errors.ts'
import type { PagedResponse } from '#core/http/pagination.ts'
import { findReceived, listReceived, type ReceivedMessage } from '#features/messages/received.ts'
import type { Notification } from '#features/notifications/contract.ts'
import * as ownNotifications from '#features/notifications/read.ts'
import { type Delivery, RETENTION_DAYS } from './contract.ts'
import { stepLookup, type TracedItem } from './traces.ts'

const DAY = 24 * 3600_000

type Item = { message: ReceivedMessage } | { notification: Notification }

const timeOf = (item: Item) => ('message' in item ? item.message.created_at : item.notification.updated_at)

const toTracedItem = (item: Item): TracedItem =>
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

const pickTraced = ({ id, created_at, is_muted }: ReceivedMessage) => ({ id, created_at, is_muted })

async function toDeliveries(viewer: MemberContext, items: readonly Item[]): Promise<Delivery[]> {
  const stepsOf = await stepLookup(viewer, items.map(toTracedItem))
  return items.map((item): Delivery => {
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

/** Newest first. Merges two lists; the cursor has the position in both. */
export async function list(
  viewer: MemberContext,
  { before_message, before_notification, limit }: DeliveryPage,
): Promise<PagedResponse<Delivery[]>> {
  const since = new Date(Date.now() - RETENTION_DAYS * DAY).toISOString()
  const [messages, notifications] = await Promise.all([
    listReceived(viewer, { before: before_message, since, limit }),
    ownNotifications.list(viewer, { before: before_notification, limit }),
  ])
  const recent = notifications.body.filter(({ updated_at }) => updated_at > since)
  const merged: Item[] = [
    ...messages.rows.map((message) => ({ message })),
    ...recent.map((notification) => ({ notification })),
  ].toSorted((a, b) => Date.parse(timeOf(b)) - Date.parse(timeOf(a)))
  const shown = merged.slice(0, limit)
  const shownMessages = shown.flatMap((item) => ('message' in item ? item.message : []))
  const shownNotifications = shown.flatMap((item) => ('notification' in item ? item.notification : []))
  // The viewer may see none of a page of messages: the next page begins after them.
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

/** Leaves out fields that are undefined. */
const toCursor = (fields: Record<string, number | undefined>) =>
  Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, number] => field[1] !== undefined),
  )

/** 404 if the viewer may not see the message, or wrote it. */
export async function getMessage(viewer: MemberContext, id: number) {
  const message = await findReceived(viewer, id)
  if (!message) throw httpErrors.notFound()
  return (await toDeliveries(viewer, [{ message }]))[0]!
}

/** 404 if the viewer has no such notification. */
export async function getNotification(viewer: MemberContext, id: number) {
  const notification = await ownNotifications.find(viewer, id)
  if (!notification) throw httpErrors.notFound()
  return (await toDeliveries(viewer, [{ notification }]))[0]!
}
