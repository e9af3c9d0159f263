/** Animation frames. */
const MAX_FRAMES = 30

/**
 * In an open dialog, or else in the page. A busy device may take several animation frames; whoever has gone to
 * another field meanwhile stays there.
 */
export function focusFirst(selector: string) {
  const before = document.activeElement
  const look = (frames: number) => {
    const now = document.activeElement
    if (now !== before && now?.matches('input, textarea')) return
    const find = (place: string) => document.querySelector<HTMLElement>(`${place} ${selector}`)
    const found = find('dialog') ?? find('#main')
    if (found) found.focus()
    else if (frames) requestAnimationFrame(() => look(frames - 1))
  }
  requestAnimationFrame(() => look(MAX_FRAMES))
}
