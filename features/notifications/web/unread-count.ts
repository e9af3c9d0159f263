import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { fillChannel } from '#core/contract.ts'
import { chatChannels } from '#features/conversations/contract.ts'
import { callEndpoint } from '#web/api.ts'
import { findAnswer, pageData } from '#web/page-data.ts'
import type { ChannelListener } from '#web/realtime.ts'
import * as realtime from '#web/realtime.ts'
import { createStore, useStore } from '#web/store.ts'
import { CHANGED_EVENT, notificationEndpoints, type TaskKind } from '../contract.ts'

/** In ms, between two requests, and from an event to a reload: many people may like a post at once. */
export const RELOAD_INTERVAL = 1000

interface UnreadNotifications {
  count: number
  waiting: Partial<Record<TaskKind, number>>
  /** The newest event when the number was loaded; 0 if there was none. */
  last_event_id: number
}

const initialAnswer = findAnswer(notificationEndpoints.unread)?.body as UnreadNotifications | undefined
const nothing = { count: 0, waiting: {}, last_event_id: 0 }
export const unreadStore = createStore<UnreadNotifications>(initialAnswer ?? nothing)

let timer: ReturnType<typeof setTimeout> | undefined
/** Only the response to the last request counts, because others may be older. */
let requests = 0

function loadCountSoon() {
  timer ??= setTimeout(() => {
    timer = undefined
    const request = ++requests
    // The next event or subscription loads the number again.
    callEndpoint(notificationEndpoints.unread, {}).then(
      (unread) => request === requests && unreadStore.set(unread),
      () => {},
    )
  }, RELOAD_INTERVAL)
}

export const useUnreadCount = () => useStore(unreadStore, ({ count }) => count)
export const useWaiting = (kind: TaskKind) => useStore(unreadStore, ({ waiting }) => waiting[kind] ?? 0)

/** Loads these queries again when the number that waits has changed. */
export function useWaitingReload(kind: TaskKind, ...queryKeys: readonly (readonly unknown[])[]) {
  const client = useQueryClient()
  const waiting = useWaiting(kind)
  const known = useRef(waiting)
  useEffect(() => {
    if (known.current === waiting) return
    known.current = waiting
    for (const queryKey of queryKeys) void client.invalidateQueries({ queryKey })
  })
}

/**
 * `onSubscribed` is called after each subscription. `me` is null for a visitor. The channel belongs to the
 * feature `chat`: without it, the number changes only when a page is loaded.
 */
export function useChanges(
  me: number | null,
  onChanged: (data: { is_only_read: boolean }) => void,
  onSubscribed: NonNullable<ChannelListener['onSubscribed']>,
) {
  const hasChannel = me !== null && pageData.app.features.includes('conversations')
  realtime.useListener(hasChannel ? fillChannel(chatChannels.member, { user: me }) : null, {
    onSubscribed,
    events: { [CHANGED_EVENT]: onChanged },
  })
}

export function useUnreadUpdates(me: number | null) {
  useEffect(() => {
    if (me !== null)
      return () => {
        clearTimeout(timer)
        timer = undefined
        unreadStore.set(nothing)
      }
  }, [me])
  useChanges(me, loadCountSoon, loadCountSoon)
}
