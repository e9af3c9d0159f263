import { useEffect } from 'react'
import { fillChannelNameParameters } from '#core/contract.ts'
import { chatChannelDefinitions } from '#features/chat/channel-contract.ts'
import { callEndpoint } from '#web/api.ts'
import { findInitialEndpointResponse, initialPageData } from '#web/page-data.ts'
import { type PusherChannelListenerCallbacks, useChannelListener } from '#web/realtime.ts'
import { createStore, useStore } from '#web/store.ts'
import { NOTIFICATIONS_CHANGED_EVENT, notificationEndpoints } from '../contract.ts'

/**
 * The minimum time in ms between two requests for the number of unread notifications, and from an event to a
 * reload of the list. Many people may like a post at once, and each like sends an event.
 */
export const MIN_NOTIFICATION_RELOAD_INTERVAL = 1000

interface UnreadNotifications {
  count: number
  /**
   * The id of the newest event in all notifications of the member when the number was loaded; 0 if there was
   * none.
   */
  last_event_id: number
}

const initialAnswer = findInitialEndpointResponse(notificationEndpoints.unread)?.body as
  | UnreadNotifications
  | undefined
export const unreadNotificationCountAndLastEventIdStore = createStore(
  initialAnswer ?? { count: 0, last_event_id: 0 },
)

let timer: ReturnType<typeof setTimeout> | undefined
/** The number of requests so far. Only the response to the last one counts, because others may be older. */
let requests = 0

function loadCountSoon() {
  timer ??= setTimeout(() => {
    timer = undefined
    const request = ++requests
    // Ignores an error of the request, because the next event or subscription loads the number again.
    callEndpoint(notificationEndpoints.unread, {}).then(
      (unread) => request === requests && unreadNotificationCountAndLastEventIdStore.set(unread),
      () => {},
    )
  }, MIN_NOTIFICATION_RELOAD_INTERVAL)
}

export const useUnreadNotificationCount = () =>
  useStore(unreadNotificationCountAndLastEventIdStore, ({ count }) => count)

/**
 * Calls `onChanged` when the member's notifications change, and `onSubscribed` after each subscription to the
 * member's channel. `me` is the id of the member; null for a visitor. The channel belongs to the feature
 * `chat`: without it, the number of unread notifications changes only when a page is loaded.
 */
export function useNotificationsChangedListener(
  me: number | null,
  onChanged: (data: { is_only_read: boolean }) => void,
  onSubscribed: NonNullable<PusherChannelListenerCallbacks['onSubscribed']>,
) {
  const hasChannel = me !== null && initialPageData.app.features.includes('chat')
  useChannelListener(
    hasChannel ? fillChannelNameParameters(chatChannelDefinitions.member, { user: me }) : null,
    {
      onSubscribed,
      events: { [NOTIFICATIONS_CHANGED_EVENT]: onChanged },
    },
  )
}

/** Keeps the number of unread notifications in the store up to date while the component is mounted. */
export function useUnreadNotificationUpdates(me: number | null) {
  useEffect(() => {
    if (me !== null)
      return () => {
        clearTimeout(timer)
        timer = undefined
        unreadNotificationCountAndLastEventIdStore.set({ count: 0, last_event_id: 0 })
      }
  }, [me])
  useNotificationsChangedListener(me, loadCountSoon, loadCountSoon)
}
