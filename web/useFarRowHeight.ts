import { type RefObject, useEffect, useState } from 'react'
import { loadAfterFirstRender } from './lazyWithRetry.ts'

let nearRows: Promise<typeof import('./near-rows.ts')> | undefined

/**
 * Returns `[height, setHeight]` for a row of a long list. The height is null for a row that is near the visible
 * area and must be rendered completely. A row that is far away must keep this height in pixels, have the
 * attribute `data-far`, and render only its texts, because thousands of complete rows slow down each change of
 * the page. Only rows with `content-visibility: auto` are ever far.
 * `scroller` is the CSS selector of the element that scrolls the list; by default the page does.
 */
export function useFarRowHeight(row: RefObject<HTMLElement | null>, scroller?: string) {
  const state = useState<number | null>(null)
  const [, setFarHeight] = state
  useEffect(() => {
    const element = row.current!
    const end = new AbortController()
    nearRows ??= loadAfterFirstRender(() => import('./near-rows.ts'))
    void nearRows.then((code) => code.observeRow(element, setFarHeight, end.signal, scroller))
    return () => end.abort()
  }, [row, scroller])
  return state
}

/** Returns the attributes of a row: `style`, and for a far row `data-far` and its height. */
export const toRowAttributes = (farHeight: number | null, style: object) =>
  farHeight === null ? { style } : { 'data-far': '', style: { ...style, blockSize: farHeight } }
