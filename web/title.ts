import { useEffect, useSyncExternalStore } from 'react'

let given: string | null = null
const listeners = new Set<() => void>()
function put(title: string | null) {
  given = title
  for (const told of listeners) told()
}
const subscribe = (told: () => void) => {
  listeners.add(told)
  return () => listeners.delete(told)
}

/** What the window is called instead of its page's own title: the person of a chat, say. */
export function usePageTitle(title: string | null) {
  useEffect(() => {
    put(title)
    return () => put(null)
  }, [title])
}

export const useGivenTitle = () => useSyncExternalStore(subscribe, () => given)
