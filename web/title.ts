import { useEffect } from 'react'
import { createStore, useStore } from '#web/store.ts'

const givenTitle = createStore<string | null>(null)

/** In place of the page's own title, such as the other person in a chat. Null keeps it. */
export function usePageTitle(title: string | null) {
  useEffect(() => {
    givenTitle.set(title)
    return () => givenTitle.set(null)
  }, [title])
}

export const useGivenTitle = () => useStore(givenTitle)
