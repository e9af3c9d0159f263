/** Pixels to the edges of the view, and to the button. */
export const EDGE = 8
const GAP = 6

type Box = Record<'left' | 'top' | 'right' | 'bottom', number>
interface Place {
  /** The button. */
  at: Box
  menu: { width: number; height: number }
  /** What is visible of the page, without a keyboard on the screen. */
  view: Box
  isAtLeft: boolean
}

/**
 * Below its button, or above where it only fits there; else over the button, because a menu is always inside
 * of the view.
 */
export function placeMenu({ at, menu: { width, height }, view, isAtLeft }: Place) {
  const below = at.bottom + GAP
  const above = at.top - GAP - height
  const [leastTop, mostTop] = [view.top + EDGE, view.bottom - EDGE - height]
  const left = Math.min(isAtLeft ? at.left : at.right - width, view.right - EDGE - width)
  return {
    left: Math.max(view.left + EDGE, left),
    top: Math.max(leastTop, Math.min(below > mostTop && above >= leastTop ? above : below, mostTop)),
  }
}

/** The keyboard of a phone makes the view lower than the window. */
export function getView(): Box {
  const { offsetTop: top, height } = visualViewport!
  return { left: 0, top, right: document.documentElement.clientWidth, bottom: top + height }
}
