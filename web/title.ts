import { useEffect } from 'react'
import { createStore, useStore } from '#web/store.ts'

const givenTitle = createStore<string | null>(null)

/**
 * Shows a title in the browser's tab in place of the page's own title, such as the name of the other person
 * in a chat. Null keeps the page's own title.
 */
export function useOverridePageTitle(title: string | null) {
  useEffect(() => {
    givenTitle.set(title)
    return () => givenTitle.set(null)
  }, [title])
}

export const useCurrentPageTitleOverride = () => useStore(givenTitle)
