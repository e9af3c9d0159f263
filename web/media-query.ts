import { useCallback, useState, useSyncExternalStore } from 'react'

/** Returns whether a media query matches, and renders again when that changes. */
export function useMediaQuery(query: string) {
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
