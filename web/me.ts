import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { type Me, peopleEndpoints } from '#features/people/contract.ts'
import { ApiError, callEndpoint, sendAs } from '#web/api.ts'
import { writeLocal } from '#web/local-storage.ts'
import { findAnswer, forgetAnswers } from '#web/page-data.ts'

const key = [peopleEndpoints.me.path]

/** After it, fetched data is out of date. `account` is a log-in or log-out. */
type MeChange = 'account' | 'profile' | 'followings'
type ChangeListener = (change: MeChange, me?: Me | null) => void
const listeners = new Set<ChangeListener>()

/** For stores outside of React Query's cache. `me` is the new user after a change of account. */
export const onMeChange = (listener: ChangeListener) => void listeners.add(listener)

/** Also drops the responses that came with the page, because they are out of date. */
export function notifyMeChange(change: MeChange, me?: Me | null) {
  forgetAnswers()
  for (const listener of listeners) listener(change, me)
}

const otherTab = 'engawa:account'

/** After a log-in or log-out in another tab, with the id of the new user; undefined for a visitor. */
export const onOtherTab = (listener: (account: number | undefined) => void) =>
  addEventListener('storage', ({ key, newValue }) => {
    if (key === otherTab && newValue) listener(Number(newValue) || undefined)
  })

/** Leaves nothing in local storage: its events are the message. */
function tellOtherTabs(me: Me | null) {
  writeLocal(otherTab, String(me?.id ?? 0))
  writeLocal(otherTab, '')
}

/** The last user of this tab, also after the session has ended; undefined for a visitor. */
let lastKnownId = (findAnswer(peopleEndpoints.me)?.body as Me | undefined)?.id
sendAs(lastKnownId)
/** These pages handle a change of account themselves. */
const changing = /^\/(login|register|logout|two-factor-challenge)\/?$/

/** If another tab has logged in as another member, this one holds data of the previous member. */
function watchAccount(me: Me | null) {
  if (me && me.id !== lastKnownId && !changing.test(location.pathname)) location.reload()
  return me
}

/**
 * A page kept by the browser (back/forward cache) is painted before a script runs, so it is hidden when left.
 * It is shown after the server has said that the same member is logged in; without an answer in a second it
 * is loaded again.
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

/** Null for a visitor. The page's HTML contains the user, so the first render has it. */
export function useMe(): Me | null {
  return (
    useQuery({
      queryKey: key,
      queryFn: () =>
        callEndpoint(peopleEndpoints.me, {}).then(watchAccount, (error: unknown) => {
          if (error instanceof ApiError && error.status === 401) return null
          throw error
        }),
      initialData: () => (findAnswer(peopleEndpoints.me)?.body as Me | undefined) ?? null,
      staleTime: 60_000,
      refetchOnWindowFocus: true,
    }).data ?? null
  )
}

/** `forget`, the default, drops all other data, because it was fetched for another user. */
export function useSetMe() {
  const client = useQueryClient()
  return (me: Me | null, { forget = true } = {}) => {
    if (me) sendAs((lastKnownId = me.id))
    if (forget) {
      notifyMeChange('account', me)
      tellOtherTabs(me)
      client.removeQueries({ predicate: (query) => query.queryKey[0] !== key[0] })
    }
    client.setQueryData(key, me)
  }
}

/** Null for a visitor. */
export function useRefetchMe() {
  const client = useQueryClient()
  return useCallback(async () => {
    await client.invalidateQueries({ queryKey: key })
    return client.getQueryData<Me | null>(key) ?? null
  }, [client])
}
