import { type RefObject, useEffect, useState } from 'react'
import { loadAfterFirstRender } from './lazyWithRetry.ts'

let nearRows: Promise<typeof import('./near-rows.ts')> | undefined

/**
 * Returns whether a row of a long list is so near to the visible area that it must be rendered completely, and
 * a function that sets this. Other rows render their texts only, for the browser's search, because thousands of
 * complete rows slow down each change of the page. Rows need `content-visibility: auto`; without it they are
 * always near. `scroller` is the CSS selector of the element that scrolls the list; by default the page does.
 */
export function useIsNearVisibleArea(
  row: RefObject<HTMLElement | null>,
  isNearAtFirst: boolean,
  scroller?: string,
) {
  const state = useState(isNearAtFirst || !nearRows)
  const [, setIsNear] = state
  useEffect(() => {
    const element = row.current!
    const end = new AbortController()
    nearRows ??= loadAfterFirstRender(() => import('./near-rows.ts'))
    void nearRows.then((code) => code.observeRow(element, setIsNear, end.signal, scroller))
    return () => end.abort()
  }, [row, scroller])
  return state
}
