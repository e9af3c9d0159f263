import { type RefObject, useEffect, useRef } from 'react'
import { useSearch } from 'wouter'
import { highlightBriefly } from '#web/highlight.ts'
import type { useReplies } from './reply-queries.ts'

/** Pages that the browser loads to find the reply. */
const MAX_EARLIER_PAGES = 50

/**
 * For an address such as `/posts/3?reply=12`. Does nothing if the reply was deleted, or if it is not an id.
 */
export function useScrollToReply(
  list: RefObject<HTMLElement | null>,
  { loaded, newest, earlier }: ReturnType<typeof useReplies>,
) {
  const given = Number(new URLSearchParams(useSearch()).get('reply'))
  const id = Number.isSafeInteger(given) && given > 0 ? given : 0
  const shown = useRef(0)
  const requested = useRef({ id: 0, pages: 0 })
  const { isFetching, isError, refetch } = earlier
  useEffect(() => {
    if (!id || shown.current === id || !loaded || newest.isFetching || isFetching || isError) return
    const { rows, earlierUrl } = loaded
    if (requested.current.id !== id) requested.current = { id, pages: 0 }
    const mayLoad = earlierUrl !== null && requested.current.pages++ < MAX_EARLIER_PAGES
    if (mayLoad && id < (rows[0]?.id ?? 0)) return void refetch()
    shown.current = id
    // After one frame, because a new page first scrolls to its top.
    requestAnimationFrame(() => {
      const card = list.current?.querySelector<HTMLElement>(`[data-reply="${id}"]`)
      if (!card) return
      card.scrollIntoView({ block: 'center', behavior: 'instant' })
      card.focus({ preventScroll: true })
      highlightBriefly(card)
    })
  }, [id, loaded, newest.isFetching, isFetching, isError, refetch, list])
}
