/** Milliseconds. */
const HIGHLIGHT_TIME = 2500

let highlighted: HTMLElement | undefined
let timer: ReturnType<typeof setTimeout> | undefined

/** Shows the reader to which message or reply the page has scrolled. Only one is highlighted at a time. */
export function highlightBriefly(element: HTMLElement) {
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
