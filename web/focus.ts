/** The number of animation frames during which `focusFirstMatchOnceRendered` looks for the element. */
const MAX_FRAMES = 30

/**
 * Focuses the first element in an open dialog, or else in the content of the page, that matches a CSS
 * selector, as soon as it has been rendered. On a busy device this may take several animation frames.
 */
export function focusFirstMatchOnceRendered(selector: string, frames = MAX_FRAMES) {
  requestAnimationFrame(() => {
    const find = (place: string) => document.querySelector<HTMLElement>(`${place} ${selector}`)
    const found = find('dialog') ?? find('#main')
    if (found) found.focus()
    else if (frames) focusFirstMatchOnceRendered(selector, frames - 1)
  })
}
