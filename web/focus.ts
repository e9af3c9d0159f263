/**
 * Focuses the first element of the page that matches the selector, in the next frame, when it has been
 * rendered.
 */
export const focusAfterRender = (selector: string) =>
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`#main ${selector}`)?.focus())
