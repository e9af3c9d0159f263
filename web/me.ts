import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { type Me, peopleEndpoints } from '#features/people/contract.ts'
import { ApiError, callEndpoint } from '#web/api.ts'
import { findInitialEndpointResponse, forgetInitialEndpointResponses } from '#web/page-data.ts'

const key = [peopleEndpoints.me.path]

/**
 * A change by the current user, after which fetched data is out of date: the account (by a log-in or
 * log-out), the profile, or the people whom the user follows.
 */
type ChangeByCurrentUser = 'account' | 'profile' | 'followings'
type ChangeListener = (change: ChangeByCurrentUser, me?: Me | null) => void
const listeners = new Set<ChangeListener>()

/**
 * Calls `listener` after each change of the current user's account, profile or follows that this window
 * makes. Stores drop outdated rows then, because they keep their rows outside of React Query's cache. The
 * listener's `me` is the new current user after a change of account.
 */
export const addOwnAccountProfileOrFollowsListener = (listener: ChangeListener) =>
  void listeners.add(listener)

/**
 * Calls the listeners of `addOwnAccountProfileOrFollowsListener`, and drops the responses that came with the
 * HTML of the page, because they are out of date.
 */
export function notifyOwnAccountProfileOrFollowsListeners(change: ChangeByCurrentUser, me?: Me | null) {
  forgetInitialEndpointResponses()
  for (const listener of listeners) listener(change, me)
}

/**
 * The id of the user who was last logged in in this tab, also after the session has ended; undefined for a
 * visitor.
 */
let lastKnownId = (findInitialEndpointResponse(peopleEndpoints.me)?.body as Me | undefined)?.id
/**
 * Matches the paths of the pages for the log-in, its second step, the registration and the log-out, because
 * these pages handle a change of account themselves.
 */
const changing = /^\/(login|register|logout|two-factor-challenge)\/?$/

/**
 * Reloads the page if another tab has logged in as another member, because this tab holds data of the
 * previous member. Returns `me`.
 */
function watchAccount(me: Me | null) {
  if (me && me.id !== lastKnownId && !changing.test(location.pathname)) location.reload()
  return me
}

/**
 * Hides the page when it is left. If the browser keeps it (back/forward cache), it would paint the page before
 * a script runs. Shows such a page after the server has said that the same member is logged in. Without an
 * answer in a second, loads it again, so that the browser shows that it waits.
 */
export function hideKeptPages() {
  addEventListener('pagehide', () => {
    document.body.style.visibility = 'hidden'
  })
  addEventListener('pageshow', async ({ persisted }) => {
    if (!persisted) return
    const signal = AbortSignal.timeout(1000)
    const me = await callEndpoint(peopleEndpoints.me, {}, { signal }).catch(() => null)
    if (me?.id === lastKnownId) document.body.style.visibility = ''
    else location.reload()
  })
}

/**
 * Returns the current user, or null for a visitor. The first render has the user already, because the page's
 * HTML contains the user.
 */
export function useMe(): Me | null {
  return (
    useQuery({
      queryKey: key,
      queryFn: () =>
        callEndpoint(peopleEndpoints.me, {}).then(watchAccount, (error: unknown) => {
          if (error instanceof ApiError && error.status === 401) return null
          throw error
        }),
      initialData: () => (findInitialEndpointResponse(peopleEndpoints.me)?.body as Me | undefined) ?? null,
      staleTime: 60_000,
      refetchOnWindowFocus: true,
    }).data ?? null
  )
}

/**
 * Returns a function that sets the current user, for example after a log-in, a log-out or a saved name. With
 * `forget`, the default, the function also drops all other fetched data, because that data was fetched for
 * another user.
 */
export function useSetMe() {
  const client = useQueryClient()
  return (me: Me | null, { forget = true } = {}) => {
    if (me) lastKnownId = me.id
    if (forget) {
      notifyOwnAccountProfileOrFollowsListeners('account', me)
      client.removeQueries({ predicate: (query) => query.queryKey[0] !== key[0] })
    }
    client.setQueryData(key, me)
  }
}

/**
 * Returns a function that asks the server again who is logged in, and resolves to the current user or null.
 */
export function useRefetchMe() {
  const client = useQueryClient()
  return useCallback(async () => {
    await client.invalidateQueries({ queryKey: key })
    return client.getQueryData<Me | null>(key) ?? null
  }, [client])
}
