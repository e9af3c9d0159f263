import { startTransition } from 'react'
import { flushSync } from 'react-dom'

// useFarRowHeight loads this file after the first render of the app.

/** Distance from the visible area, in percent of its height. */
const NEAR = 500
/** Scrolled heights after which far rows are rendered at once: the observer is late after the Home key. */
const JUMP = 2

/** The height in pixels that a far row must keep; null for a near row. */
type SetFarHeight = (height: number | null) => void
type RowsOfScroller = ReturnType<typeof createRowsOfScroller>

const rowsByScroller = new Map<Element, RowsOfScroller>()

/** Until the signal aborts. The scroller is the closest ancestor that matches the selector, or the page. */
export function observeRow(
  row: HTMLElement,
  setFarHeight: SetFarHeight,
  signal: AbortSignal,
  selector?: string,
) {
  if (signal.aborted) return
  const scroller = (selector && row.closest(selector)) || document.documentElement
  const rows = rowsByScroller.get(scroller) ?? createRowsOfScroller(scroller)
  rowsByScroller.set(scroller, rows)
  rows.add(row, setFarHeight)
  signal.addEventListener('abort', () => {
    rows.remove(row)
    if (rows.isEmpty()) rowsByScroller.delete(scroller)
  })
}

function createRowsOfScroller(scroller: Element) {
  const isPage = scroller === document.documentElement
  const setters = new Map<HTMLElement, SetFarHeight>()
  /** Rows that React will render as far when it has time. */
  const leaving = new Set<HTMLElement>()
  let checkedAt = scroller.scrollTop

  function setNear(row: HTMLElement) {
    leaving.delete(row)
    setters.get(row)?.(null)
  }

  function setFarWhenIdle(row: HTMLElement, height: number) {
    leaving.add(row)
    startTransition(() => setters.get(row)?.(height || null))
  }

  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting, boundingClientRect } of entries) {
        const row = target as HTMLElement
        if (isIntersecting) setNear(row)
        else if (canLoseContent(row)) setFarWhenIdle(row, boundingClientRect.height)
      }
    },
    { root: isPage ? null : scroller, rootMargin: `${NEAR}% 0px` },
  )

  /** Keeps the middle of the scroller in place, such as a match of the browser's search, as pages do. */
  const renderAtOnce = (isChosen: (row: HTMLElement) => boolean) => {
    const isFar = (row: HTMLElement) => row.dataset.far !== undefined || leaving.has(row)
    const chosen = [...setters.keys()].filter((row) => isFar(row) && isChosen(row))
    if (!chosen.length) return
    const { left, top, width, height } = scroller.getBoundingClientRect()
    const middle = isPage ? null : document.elementFromPoint(left + width / 2, top + height / 2)
    const before = middle?.getBoundingClientRect().top ?? 0
    flushSync(() => chosen.forEach(setNear))
    if (middle?.isConnected) scroller.scrollTop += middle.getBoundingClientRect().top - before
  }
  return {
    add(row: HTMLElement, setFarHeight: SetFarHeight) {
      setters.set(row, setFarHeight)
      observer.observe(row)
    },
    remove(row: HTMLElement) {
      observer.unobserve(row)
      leaving.delete(row)
      setters.delete(row)
    },
    isEmpty: () => setters.size === 0,
    /** Before the next paint, if the scroller has moved far since the last check. */
    onScroll() {
      const { scrollTop, clientHeight } = scroller
      if (Math.abs(scrollTop - checkedAt) < JUMP * clientHeight) return
      checkedAt = scrollTop
      const top = isPage ? 0 : scroller.getBoundingClientRect().top
      renderAtOnce((row) => {
        const rect = row.getBoundingClientRect()
        return rect.bottom > top - JUMP * clientHeight && rect.top < top + (1 + JUMP) * clientHeight
      })
    },
    renderAll: () => renderAtOnce(() => true),
  }
}

/**
 * Only if the browser can skip its layout (`content-visibility`), and without a state that a new rendering
 * would lose: an opened part, a form, the focus, a selected text, or a sound.
 */
function canLoseContent(row: HTMLElement) {
  const selection = getSelection()
  return (
    getComputedStyle(row).contentVisibility === 'auto' &&
    !row.matches(
      ':focus-within, :has([aria-expanded="true"], [open], textarea, input:not([type="range"]))',
    ) &&
    ![...row.querySelectorAll<HTMLMediaElement>('audio, video')].some(
      ({ paused, currentTime }) => !paused || currentTime > 0,
    ) &&
    (!selection || selection.isCollapsed || !selection.containsNode(row, true))
  )
}

const onScroll = ({ target }: Event) =>
  rowsByScroller.get(target === document ? document.documentElement : (target as Element))?.onScroll()
addEventListener('scroll', onScroll, { capture: true, passive: true })
// The capture phase comes before the listener of print.ts, which loads the pictures of these rows.
addEventListener(
  'beforeprint',
  () => {
    for (const rows of rowsByScroller.values()) rows.renderAll()
  },
  { capture: true },
)
