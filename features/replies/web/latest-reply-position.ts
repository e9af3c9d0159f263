import { changeDomKeepingElementInPlace } from './reply-store.ts'

/** Returns whether the reader points at the newest replies to a post in a list, or has the focus in them. */
export const isPointerOrFocusInLatestReplies = (post: number) =>
  document.querySelector(`article[data-post="${post}"] .latest-replies`)?.matches(':hover, :focus-within') ??
  false

function isInWindow(element: Element) {
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > 0 && top < innerHeight
}

/**
 * Returns the element of the post that the reader probably looks at: the post under the pointer, or else the
 * post with the focus, or else the post in the middle of the window.
 */
function findPostOfReader() {
  const elements = [
    document.querySelector('article[data-post]:hover'),
    document.activeElement,
    document.elementFromPoint(innerWidth / 2, innerHeight / 2),
  ]
  return elements
    .map((element) => element?.closest('article[data-post]'))
    .find((post) => post && isInWindow(post))
}

/**
 * Runs a change of the newest replies on the page, which makes posts longer or shorter. The post that the
 * reader looks at stays at its place in the window, so that the reader does not press a wrong button.
 */
export const changeLatestRepliesKeepingPostInPlace = (change: () => void) =>
  changeDomKeepingElementInPlace(findPostOfReader(), change)
