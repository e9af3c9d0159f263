import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { loadAfterRender } from '#web/lazyWithRetry.ts'

/** Where members write. The other pages ask the server for no drafts. */
const places = /^\/(post$|chats|users|my-groups|privatechat|group-chat)/

/** `me` is null for a visitor. */
export function useSync(me: number | null) {
  const [path] = useLocation()
  const [isNeeded, setNeeded] = useState(false)
  if (!isNeeded && places.test(path)) setNeeded(true)
  useEffect(() => {
    if (me === null || !isNeeded) return
    let stop: (() => void) | undefined
    let hasEnded = false
    void loadAfterRender(() => import('./sync.ts')).then((sync) => {
      if (!hasEnded) stop = sync.start(me)
    })
    return () => {
      hasEnded = true
      stop?.()
    }
  }, [me, isNeeded])
}
