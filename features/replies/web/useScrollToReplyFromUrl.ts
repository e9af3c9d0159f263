import { type RefObject, useEffect, useRef } from 'react'
import { useSearch } from 'wouter'
import { highlightElementBriefly } from '#web/highlight.ts'
import type { useRepliesToPost } from './reply-queries.ts'

/** The maximum number of pages of earlier replies that the browser loads to find the reply in the address. */
const MAX_EARLIER_PAGES = 50

/**
 * Shows the reply that the address of the page names, as in `/posts/3?reply=12`. Loads at most
 * `MAX_EARLIER_PAGES` pages of earlier replies until the reply is found, then scrolls to it, focuses it and
 * highlights it. Does nothing if the reply was deleted, or if the parameter is not an id.
 */
export function useScrollToReplyFromUrl(
  list: RefObject<HTMLElement | null>,
  { loaded, newest, earlier }: ReturnType<typeof useRepliesToPost>,
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
    // Waits for one frame before it scrolls to the reply, because a new page first scrolls to its top.
    requestAnimationFrame(() => {
      const card = list.current?.querySelector<HTMLElement>(`[data-reply="${id}"]`)
      if (!card) return
      card.scrollIntoView({ block: 'center', behavior: 'instant' })
      card.focus({ preventScroll: true })
      highlightElementBriefly(card)
    })
  }, [id, loaded, newest.isFetching, isFetching, isError, refetch, list])
}
