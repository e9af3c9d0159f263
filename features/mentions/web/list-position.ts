/** In pixels: to the edges of the visible area, and to the line of text. */
const EDGE = 8
const GAP = 8

/** They decide where the browser draws each letter. */
const textProperties = [
  'direction',
  'font',
  'letter-spacing',
  'line-height',
  'padding',
  'tab-size',
  'text-indent',
  'word-break',
  'word-spacing',
]

/** Measures a hidden copy, because browsers do not report the position of a character in a text area. */
function measureCharacter(field: HTMLTextAreaElement, index: number) {
  const copy = document.createElement('div')
  const style = getComputedStyle(field)
  for (const property of textProperties) copy.style.setProperty(property, style.getPropertyValue(property))
  Object.assign(copy.style, {
    position: 'fixed',
    visibility: 'hidden',
    boxSizing: 'border-box',
    inlineSize: `${field.clientWidth}px`,
    whiteSpace: 'pre-wrap',
    overflowWrap: 'break-word',
  })
  const character = document.createElement('span')
  character.textContent = field.value.slice(index, index + 1)
  copy.append(field.value.slice(0, index), character)
  document.body.append(copy)
  const { left, top } = field.getBoundingClientRect()
  const start = top + field.clientTop + character.offsetTop - field.scrollTop
  const position = {
    left: left + field.clientLeft + character.offsetLeft,
    top: start,
    bottom: start + character.offsetHeight,
  }
  copy.remove()
  return position
}

/**
 * Below the line of the character, or above it if there is more space. Stays inside the visible part of the
 * window, which an on-screen keyboard makes smaller.
 */
export function placeList(list: HTMLElement, field: HTMLTextAreaElement, index: number) {
  const { offsetLeft, offsetTop, width, height } = visualViewport!
  const [first, last] = [offsetTop + EDGE, offsetTop + height - EDGE]
  const { left, top, bottom } = measureCharacter(field, index)
  const above = Math.min(top, last) - GAP - first
  const below = last - Math.max(bottom, first) - GAP
  list.style.maxBlockSize = ''
  const isBelow = list.offsetHeight <= below || below >= above
  list.style.maxBlockSize = `${isBelow ? below : above}px`
  list.style.top = `${isBelow ? last - below : first + above - list.offsetHeight}px`
  const mostLeft = offsetLeft + width - EDGE - list.offsetWidth
  list.style.left = `${Math.max(offsetLeft + EDGE, Math.min(left, mostLeft))}px`
}
