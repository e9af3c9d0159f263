import { useCallback, useState, useSyncExternalStore } from 'react'

/** Whether the window is as a media query says. */
export function useMedia(query: string) {
  const [list] = useState(() => matchMedia(query))
  const subscribe = useCallback(
    (told: () => void) => {
      list.addEventListener('change', told)
      return () => list.removeEventListener('change', told)
    },
    [list],
  )
  return useSyncExternalStore(subscribe, () => list.matches)
}
