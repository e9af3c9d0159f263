/** Focuses the first such element of the page in the next frame, once it has been drawn. */
export const focusLater = (selector: string) =>
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`#main ${selector}`)?.focus())
