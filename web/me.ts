import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { type Me, people } from '#features/people/contract.ts'
import { ApiError, api } from '#web/api.ts'
import { forgetInitialAnswers, initialAnswer } from '#web/page-data.ts'

const key = [people.me.path]

/** A change by the current user. Answers that were fetched before it are out of date. */
type OwnChange = 'account' | 'profile' | 'followings'
const listeners = new Set<(change: OwnChange) => void>()

/** Calls `listener` after each change. For stores, which keep fetched rows outside of the query cache. */
export const onOwnChange = (listener: (change: OwnChange) => void) => void listeners.add(listener)

export function announceOwnChange(change: OwnChange) {
  forgetInitialAnswers()
  for (const listener of listeners) listener(change)
}

/** The id of the member whom this tab last knew, also after their session is over; null is a visitor. */
let known = (initialAnswer(people.me)?.body as Me | undefined)?.id ?? null
/** Pages that log in or out, and handle the change of account themselves. */
const changing = /^\/(login|register|logout)\/?$/

/** Reloads the page when another tab has logged in as another member: this tab holds data of the first. */
function watchAccount(me: Me | null) {
  if (me && me.id !== known && !changing.test(location.pathname)) location.reload()
  return me
}

/** The member who is logged in, or null. Known at once, since the page carries it. */
export function useMe(): Me | null {
  return (
    useQuery({
      queryKey: key,
      queryFn: () =>
        api(people.me, {}).then(watchAccount, (error: unknown) => {
          if (error instanceof ApiError && error.status === 401) return null
          throw error
        }),
      initialData: () => (initialAnswer(people.me)?.body as Me | undefined) ?? null,
      staleTime: 60_000,
      refetchOnWindowFocus: true,
    }).data ?? null
  )
}

/** Called after log-in, log-out or a saved profile. Forgets what was fetched as somebody else. */
export function useMeChanged() {
  const client = useQueryClient()
  return (me: Me | null, { forget = true } = {}) => {
    if (me) known = me.id
    if (forget) {
      announceOwnChange('account')
      client.removeQueries({ predicate: (query) => query.queryKey[0] !== key[0] })
    }
    client.setQueryData(key, me)
  }
}

/** Asks the server again who is logged in; resolves with the answer. */
export function useMeAgain() {
  const client = useQueryClient()
  return useCallback(async () => {
    await client.invalidateQueries({ queryKey: key })
    return client.getQueryData<Me | null>(key) ?? null
  }, [client])
}
