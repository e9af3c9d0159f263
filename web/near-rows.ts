import { startTransition } from 'react'
import { flushSync } from 'react-dom'

// The code of this file decides which rows of long lists are near the visible area. useIsNearVisibleArea loads
// it after the first render of the app.

/**
 * How far a row may be above or below the visible area to count as near, in percent of the height of this
 * area. Browsers lay out rows with `content-visibility: auto` that are nearer than about 150 %, so a row that
 * is not near is never laid out.
 */
const NEAR = 500
/**
 * The distance in pixels, divided by the height of the visible area, after which a scroll counts as a jump,
 * such as that of the Home key.
 */
const JUMP = 2

type SetIsNear = (isNear: boolean) => void
type RowsOfScroller = ReturnType<typeof createRowsOfScroller>

const rowsByScroller = new Map<Element, RowsOfScroller>()

/**
 * Tells `setIsNear` when the row comes near the visible area of its scroller, and when it leaves it again, until
 * the signal aborts. The scroller is the closest ancestor that matches the selector, or the page.
 */
export function observeRow(row: Element, setIsNear: SetIsNear, signal: AbortSignal, selector?: string) {
  if (signal.aborted) return
  const scroller = (selector && row.closest(selector)) || document.documentElement
  const rows = rowsByScroller.get(scroller) ?? createRowsOfScroller(scroller)
  rowsByScroller.set(scroller, rows)
  rows.add(row, setIsNear)
  signal.addEventListener('abort', () => {
    rows.remove(row)
    if (rows.isEmpty()) rowsByScroller.delete(scroller)
  })
}

function createRowsOfScroller(scroller: Element) {
  const isPage = scroller === document.documentElement
  const setters = new Map<Element, SetIsNear>()
  const far = new Set<Element>()
  let checkedAt = scroller.scrollTop

  const setIsNear = (row: Element, isNear: boolean) => {
    if (isNear) far.delete(row)
    else far.add(row)
    setters.get(row)?.(isNear)
  }
  const observer = new IntersectionObserver(
    (entries) => {
      checkedAt = scroller.scrollTop
      startTransition(() => {
        for (const { target, isIntersecting, boundingClientRect } of entries)
          if (isIntersecting || (boundingClientRect.height > 0 && canLoseContent(target)))
            setIsNear(target, isIntersecting)
      })
    },
    { root: isPage ? null : scroller, rootMargin: `${NEAR}% 0px` },
  )

  /** Sets the far rows that the function chooses to near, and renders them at once. */
  const renderAtOnce = (isChosen: (row: Element) => boolean) => {
    const chosen = [...far].filter(isChosen)
    if (!chosen.length) return
    flushSync(() => {
      for (const row of chosen) setIsNear(row, true)
    })
  }
  return {
    add(row: Element, set: SetIsNear) {
      setters.set(row, set)
      observer.observe(row)
    },
    remove(row: Element) {
      observer.unobserve(row)
      setters.delete(row)
      far.delete(row)
    },
    isEmpty: () => setters.size === 0,
    /** Renders the visible rows before the next paint if the scroller has jumped to them. */
    onScroll() {
      const { scrollTop, clientHeight } = scroller
      if (Math.abs(scrollTop - checkedAt) < JUMP * clientHeight) return
      checkedAt = scrollTop
      const top = isPage ? 0 : scroller.getBoundingClientRect().top
      renderAtOnce((row) => {
        const rect = row.getBoundingClientRect()
        return rect.bottom > top - clientHeight && rect.top < top + 2 * clientHeight
      })
    },
    renderAll: () => renderAtOnce(() => true),
  }
}

/**
 * Returns whether the complete content of a far row may be removed. The row keeps its height only if the
 * browser skips its layout. Some rows have a state that a new rendering would lose: an opened part, a form, the
 * focus, or a sound.
 */
const canLoseContent = (row: Element) =>
  getComputedStyle(row).contentVisibility === 'auto' &&
  !row.matches(':focus-within, :has([aria-expanded="true"], [open], textarea, input)') &&
  ![...row.querySelectorAll('audio')].some(({ currentTime }) => currentTime > 0)

const onScroll = ({ target }: Event) =>
  rowsByScroller.get(target === document ? document.documentElement : (target as Element))?.onScroll()
addEventListener('scroll', onScroll, { capture: true, passive: true })
addEventListener('beforeprint', () => {
  for (const rows of rowsByScroller.values()) rows.renderAll()
})
