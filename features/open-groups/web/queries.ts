import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { fillChannel } from '#core/contract.ts'
import { chatChannels } from '#features/conversations/contract.ts'
import { callEndpoint, fetchPage } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useMe } from '#web/me.ts'
import { findAnswer } from '#web/page-data.ts'
import * as realtime from '#web/realtime.ts'
import { showToast } from '#web/ui/Toasts.tsx'
import {
  linkEndpoints,
  type OpenGroup,
  openGroupChannels,
  openGroupEndpoints,
  REQUEST_CHANGED,
} from '../contract.ts'

export const listKey = [openGroupEndpoints.list.path]
export const linkKey = [linkEndpoints.open.path]
export const detailsKey = [openGroupEndpoints.show.path]

/** In ms, from an event to a reload: many people may join at once. */
const RELOAD_DELAY = 500

export const openGroupsSource = {
  key: openGroupEndpoints.list.path,
  fetchPage: (q: string, from: string | null) => fetchPage(openGroupEndpoints.list, { q }, from),
  initialPage: () => {
    const first = findAnswer(openGroupEndpoints.list)
    return first && { rows: first.body as OpenGroup[], next: first.next }
  },
  searchText: ({ name, reading = '' }: OpenGroup) =>
    `${name}\n${name.replaceAll(' ', '')}\n${reading.replace(/[\s・]/g, '')}`,
}

/** While a page shows groups that one may join, and what became of the member's own requests. */
export function useLiveGroups() {
  const client = useQueryClient()
  const me = useMe()?.id
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const reload = () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      for (const queryKey of [listKey, detailsKey, linkKey]) void client.invalidateQueries({ queryKey })
    }, RELOAD_DELAY)
  }
  realtime.useListener(me ? openGroupChannels.list.name : null, { events: { OpenGroupsChanged: reload } })
  realtime.useListener(me ? fillChannel(chatChannels.member, { user: me }) : null, {
    // After a lost connection, events may have been missed.
    onSubscribed: reload,
    events: { [REQUEST_CHANGED]: reload, GroupChanged: reload },
  })
}

/** Joins, asks, or takes the request back. `token` is that of the link to the group. */
export function useJoining(group: OpenGroup, token?: string) {
  const client = useQueryClient()
  const explain = useErrorText()
  const { id, state } = group
  const endpoint = state === 'waiting' ? openGroupEndpoints.takeBack : openGroupEndpoints.join
  return useMutation({
    mutationFn: (): Promise<{ message: string }> =>
      token && state !== 'waiting'
        ? callEndpoint(linkEndpoints.join, { token })
        : callEndpoint(endpoint, { id }),
    onSuccess: ({ message }) => showToast(message),
    onError: (error) =>
      hasStatus(error, 401) ? showLogInToast() : showToast(explain(error), { kind: 'error' }),
    onSettled: () =>
      Promise.all([listKey, detailsKey, linkKey].map((queryKey) => client.invalidateQueries({ queryKey }))),
  })
}
