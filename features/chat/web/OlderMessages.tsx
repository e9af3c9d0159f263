import { RotateCw } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import type { MessageState } from './message-state.ts'
import type { MessageStore } from './message-store.ts'
import { chatText } from './text.ts'

interface OlderMessagesProps {
  store: MessageStore
  state: MessageState
  /** All loaded messages are rendered. */
  isReady: boolean
  list: RefObject<HTMLDivElement | null>
}

/**
 * Loads the next page of older messages long before the reader reaches it, and offers a retry where that
 * failed.
 */
export function OlderMessages({ store, state: { olderUrl, olderState }, isReady, list }: OlderMessagesProps) {
  const t = useText(chatText)
  const ref = useRef<HTMLDivElement>(null)
  const mayLoad = isReady && olderUrl !== null && olderState === 'idle'
  useEffect(() => {
    if (!mayLoad) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && void store.loadOlder(), {
      root: list.current,
      rootMargin: '800px 0px 0px',
    })
    observer.observe(ref.current!)
    return () => observer.disconnect()
  }, [mayLoad, store, list])
  return (
    <div className="older" ref={ref}>
      {olderState === 'failed' && (
        <>
          <p className="meta">{t.olderFailed}</p>
          <Button small icon={RotateCw} onClick={() => store.loadOlder()}>
            {t.retry}
          </Button>
        </>
      )}
    </div>
  )
}
