import { useEffect } from 'react'
import { loadAfterRender } from '#web/lazyWithRetry.ts'

/** `me` is null for a visitor. */
export function useSync(me: number | null) {
  useEffect(() => {
    if (me === null) return
    let stop: (() => void) | undefined
    let hasEnded = false
    void loadAfterRender(() => import('./sync.ts')).then((sync) => {
      if (!hasEnded) stop = sync.start(me)
    })
    return () => {
      hasEnded = true
      stop?.()
    }
  }, [me])
}
