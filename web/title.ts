import { useEffect } from 'react'
import { createStore, useStore } from '#web/store.ts'

const givenTitle = createStore<string | null>(null)

/** Names the window after something else than its page, such as the other person of a chat. */
export function usePageTitle(title: string | null) {
  useEffect(() => {
    givenTitle.set(title)
    return () => givenTitle.set(null)
  }, [title])
}

export const useGivenTitle = () => useStore(givenTitle)
