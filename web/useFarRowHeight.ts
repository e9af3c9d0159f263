import { type RefObject, useEffect, useState } from 'react'
import { loadAfterRender } from './lazyWithRetry.ts'

let nearRows: Promise<typeof import('./near-rows.ts')> | undefined

/**
 * The height is null for a row near the visible area. A far row must keep this height in pixels, have
 * `data-far`, and render only its texts, because thousands of complete rows slow down each change of the
 * page. Only rows with `content-visibility: auto` are ever far. `scroller` is a CSS selector; by default the
 * page scrolls.
 */
export function useFarRowHeight(row: RefObject<HTMLElement | null>, scroller?: string) {
  const state = useState<number | null>(null)
  const [, setFarHeight] = state
  useEffect(() => {
    const element = row.current!
    const end = new AbortController()
    nearRows ??= loadAfterRender(() => import('./near-rows.ts'))
    void nearRows.then((code) => code.observeRow(element, setFarHeight, end.signal, scroller))
    return () => end.abort()
  }, [row, scroller])
  return state
}

export const rowAttributes = (farHeight: number | null, style: object) =>
  farHeight === null ? { style } : { 'data-far': '', style: { ...style, blockSize: farHeight } }
