import { newId } from '#web/id.ts'

/** Where the reader was, kept for every entry of the history; it survives a reload. */

interface Place {
  y: number
  /**
   * Selector of the first visible element, whose distance from the top is `offset`. Heights above it may be
   * estimates at first (content-visibility).
   */
  anchor?: string | undefined
  offset?: number
  /** Selector of the post that had the focus last. */
  focus?: string | undefined
}

const STORE = 'scroll'
const PATIENCE = 2000
const places = new Map<string, Place>(read())
let shownPath = location.pathname
let giveUp = () => {}

function read(): [string, Place][] {
  try {
    return JSON.parse(sessionStorage.getItem(STORE) ?? '[]')
  } catch {
    return []
  }
}
const entry = () => (history.state as { at?: string } | null)?.at

history.scrollRestoration = 'manual'
addEventListener('scroll', remember, { passive: true })
addEventListener('focusin', rememberFocus)
addEventListener('pagehide', () => {
  try {
    sessionStorage.setItem(STORE, JSON.stringify([...places].slice(-50)))
  } catch {
    // Full or forbidden: then the page begins at its top.
  }
})

function remember() {
  const at = entry()
  // Between two pages the browser may move by itself.
  if (!at || location.pathname !== shownPath) return
  const anchor = topAnchor()
  const before = places.get(at)
  places.delete(at)
  const focus = before?.focus
  places.set(at, {
    y: scrollY,
    focus,
    ...(anchor && { anchor: selectorOf(anchor), offset: anchor.getBoundingClientRect().top }),
  })
}

function rememberFocus({ target }: FocusEvent) {
  const at = entry()
  const post = (target as Element).closest<HTMLElement>('article[data-post]')
  if (at && post && location.pathname === shownPath)
    places.set(at, { ...(places.get(at) ?? { y: scrollY }), focus: selectorOf(post) })
}

const topAnchor = () =>
  document.elementFromPoint(innerWidth / 2, 80)?.closest<HTMLElement>('[data-post], [data-person]')
const selectorOf = ({ dataset: { post, person } }: HTMLElement) =>
  post ? `[data-post="${post}"]` : `[data-person="${person}"]`

/**
 * Scrolls a page that has just been drawn to its earlier place, or to its top. Returns the post
 * that had the focus there, or null.
 */
export function settleScroll() {
  giveUp()
  shownPath = location.pathname
  const at = entry()
  const place = at ? places.get(at) : undefined
  if (!at) history.replaceState({ ...history.state, at: newId() }, '')
  if (!place) {
    scrollTo({ top: 0, behavior: 'instant' })
    return null
  }
  goTo(place)
  keepAt(place)
  return place.focus ? document.querySelector<HTMLElement>(place.focus) : null
}

function goTo({ y, anchor, offset = 0 }: Place) {
  const element = anchor && document.querySelector(anchor)
  scrollTo({ top: element ? scrollY + element.getBoundingClientRect().top - offset : y, behavior: 'instant' })
}

/** Heights may still change for a moment; the reader's own hand ends it. */
function keepAt(place: Place) {
  const hands = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const
  // A check in each frame, because a ResizeObserver of the whole page reports an error where posts grow
  // meanwhile.
  let height = 0
  let frame = 0
  const check = () => {
    frame = requestAnimationFrame(check)
    const { scrollHeight } = document.documentElement
    if (scrollHeight !== height) goTo(place)
    height = scrollHeight
  }
  check()
  const timer = setTimeout(() => giveUp(), PATIENCE)
  giveUp = () => {
    clearTimeout(timer)
    cancelAnimationFrame(frame)
    for (const hand of hands) removeEventListener(hand, giveUp)
    giveUp = () => {}
  }
  for (const hand of hands) addEventListener(hand, giveUp, { passive: true })
}

export const scrollToTop = () =>
  scrollTo({
    top: 0,
    behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth',
  })
