import { randomId } from '#web/id.ts'

// Scroll positions of the history's entries, also after a reload.

interface ScrollPosition {
  y: number
  /**
   * The CSS selector of the element at the top, and its distance in pixels (`offset`). More exact than `y`,
   * because heights above may be estimates at first (content-visibility).
   */
  anchor?: string | undefined
  offset?: number
  /** A CSS selector. */
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
// Safari moves the list without a scroll event when posts above it change their height.
addEventListener('click', remember, { capture: true })
addEventListener('focusin', rememberFocus)
addEventListener('pagehide', () => {
  try {
    sessionStorage.setItem(STORE, JSON.stringify([...positions].slice(-50)))
  } catch {
    // Session storage is full or forbidden. A reloaded page then begins at its top.
  }
})

function remember() {
  const at = historyEntryId()
  // While another page is being loaded, the browser may scroll by itself.
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

/** The section of the fragment while it is in the window, or else the post or person at its top. */
function topAnchor() {
  const section = document.getElementById(location.hash.slice(1))
  const { top = -1 } = section?.getBoundingClientRect() ?? {}
  if (top >= 0 && top < innerHeight) return section
  // 80 pixels may be in a gap between two posts, or under a toast.
  return rowAt(80) ?? rowAt(120)
}
const rowAt = (y: number) =>
  document
    .elementsFromPoint(innerWidth / 2, y)
    .map((element) => element.closest<HTMLElement>('[data-post], [data-person]'))
    .find(Boolean)
const selectorOf = ({ id, dataset: { post, person } }: HTMLElement) =>
  post ? `[data-post="${post}"]` : person ? `[data-person="${person}"]` : `[id="${CSS.escape(id)}"]`

/** Pixels above a section to which a link has led. */
const SECTION_OFFSET = 88

/** Such as `/account#push`. */
const findPositionOfFragment = (): ScrollPosition | undefined =>
  location.hash
    ? { y: 0, anchor: `[id="${CSS.escape(location.hash.slice(1))}"]`, offset: SECTION_OFFSET }
    : undefined

/** To the earlier position, the fragment, or the top. Returns the post that had the focus, or null. */
export function restoreScroll() {
  stopHolding()
  shownPath = location.pathname
  const at = historyEntryId()
  const position = (at ? positions.get(at) : undefined) ?? findPositionOfFragment()
  if (!at) history.replaceState({ ...history.state, at: randomId() }, '')
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

/** For at most PATIENCE ms, whenever the page's height changes. Any input of the user ends this earlier. */
function holdPosition(position: ScrollPosition) {
  const inputEvents = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const
  // In each animation frame: a ResizeObserver of the whole page would report an error when posts grow
  // meanwhile.
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
