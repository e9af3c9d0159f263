import { createRandomId } from '#web/id.ts'

// The functions of this file remember the scroll position of each entry of the browser's history, also after
// a reload.

interface ScrollPosition {
  y: number
  /**
   * The CSS selector of the element at the top of the window. `offset` is the distance of this element from
   * the top in pixels. Both together are more exact than `y`, because the heights of elements above may be
   * estimates at first (content-visibility).
   */
  anchor?: string | undefined
  offset?: number
  /** The CSS selector of the post that had the focus last. */
  focus?: string | undefined
}

const STORE = 'scroll'
const PATIENCE = 2000
const positions = new Map<string, ScrollPosition>(read())
let shownPath = location.pathname
let stopHolding = () => {}

function read(): [string, ScrollPosition][] {
  try {
    return JSON.parse(sessionStorage.getItem(STORE) ?? '[]')
  } catch {
    return []
  }
}
const historyEntryId = () => (history.state as { at?: string } | null)?.at

history.scrollRestoration = 'manual'
addEventListener('scroll', remember, { passive: true })
addEventListener('focusin', rememberFocus)
addEventListener('pagehide', () => {
  try {
    sessionStorage.setItem(STORE, JSON.stringify([...positions].slice(-50)))
  } catch {
    // Ignores that session storage is full or forbidden. A reloaded page then begins at its top.
  }
})

function remember() {
  const at = historyEntryId()
  // Remembers no position while another page is being loaded, because the browser may scroll by itself then.
  if (!at || location.pathname !== shownPath) return
  const anchor = topAnchor()
  const before = positions.get(at)
  positions.delete(at)
  const focus = before?.focus
  positions.set(at, {
    y: scrollY,
    focus,
    ...(anchor && { anchor: selectorOf(anchor), offset: anchor.getBoundingClientRect().top }),
  })
}

function rememberFocus({ target }: FocusEvent) {
  const at = historyEntryId()
  const post = (target as Element).closest<HTMLElement>('article[data-post]')
  if (at && post && location.pathname === shownPath)
    positions.set(at, { ...(positions.get(at) ?? { y: scrollY }), focus: selectorOf(post) })
}

/** The section that the fragment names while it is in the window, or else the post or person at its top. */
function topAnchor() {
  const section = document.getElementById(location.hash.slice(1))
  const { top = -1 } = section?.getBoundingClientRect() ?? {}
  if (top >= 0 && top < innerHeight) return section
  return document.elementFromPoint(innerWidth / 2, 80)?.closest<HTMLElement>('[data-post], [data-person]')
}
const selectorOf = ({ id, dataset: { post, person } }: HTMLElement) =>
  post ? `[data-post="${post}"]` : person ? `[data-person="${person}"]` : `[id="${CSS.escape(id)}"]`

/**
 * The distance in pixels between the top of the window and a section of the page after a link has led to the
 * section.
 */
const SECTION_OFFSET = 88

/**
 * Returns the scroll position of the section that the fragment of the page's URL names, such as
 * `/account#push`.
 */
const findPositionOfFragment = (): ScrollPosition | undefined =>
  location.hash
    ? { y: 0, anchor: `[id="${CSS.escape(location.hash.slice(1))}"]`, offset: SECTION_OFFSET }
    : undefined

/**
 * Scrolls a newly rendered page to its earlier position, or to the section that the fragment of its URL
 * names, or to the top. Returns the element of the post that had the focus, or null.
 */
export function restoreScrollAndFindFocusedPost() {
  stopHolding()
  shownPath = location.pathname
  const at = historyEntryId()
  const position = (at ? positions.get(at) : undefined) ?? findPositionOfFragment()
  if (!at) history.replaceState({ ...history.state, at: createRandomId() }, '')
  if (!position) {
    scrollTo({ top: 0, behavior: 'instant' })
    return null
  }
  goTo(position)
  holdPosition(position)
  return position.focus ? document.querySelector<HTMLElement>(position.focus) : null
}

function goTo({ y, anchor, offset = 0 }: ScrollPosition) {
  const element = anchor && document.querySelector(anchor)
  scrollTo({ top: element ? scrollY + element.getBoundingClientRect().top - offset : y, behavior: 'instant' })
}

/**
 * Scrolls back to the position whenever the height of the page changes, for at most PATIENCE milliseconds.
 * Any input of the user ends this earlier.
 */
function holdPosition(position: ScrollPosition) {
  const inputEvents = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const
  // Checks the height of the page in each animation frame, because a ResizeObserver of the whole page would
  // report an error when posts grow meanwhile.
  let height = 0
  let frame = 0
  const check = () => {
    frame = requestAnimationFrame(check)
    const { scrollHeight } = document.documentElement
    if (scrollHeight !== height) goTo(position)
    height = scrollHeight
  }
  check()
  const timer = setTimeout(() => stopHolding(), PATIENCE)
  stopHolding = () => {
    clearTimeout(timer)
    cancelAnimationFrame(frame)
    for (const hand of inputEvents) removeEventListener(hand, stopHolding)
    stopHolding = () => {}
  }
  for (const hand of inputEvents) addEventListener(hand, stopHolding, { passive: true })
}

export const scrollToTop = () =>
  scrollTo({
    top: 0,
    behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth',
  })
