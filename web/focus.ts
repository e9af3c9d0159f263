/** Focuses the first such element of the page, once what is being drawn now is there. */
export const focusLater = (selector: string) =>
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`#main ${selector}`)?.focus())
