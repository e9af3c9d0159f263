/** The number of milliseconds for which an element stays highlighted. */
const HIGHLIGHT_TIME = 2500

let highlighted: HTMLElement | undefined
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Sets `data-highlighted` on an element for a moment, so that the reader finds the message or the reply to
 * which the page has scrolled. Ends the highlight of the previous element, so that only one is highlighted.
 */
export function highlightElementBriefly(element: HTMLElement) {
  endHighlight()
  highlighted = element
  element.dataset.highlighted = ''
  timer = setTimeout(endHighlight, HIGHLIGHT_TIME)
}

function endHighlight() {
  clearTimeout(timer)
  delete highlighted?.dataset.highlighted
  highlighted = undefined
}
