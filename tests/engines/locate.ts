/**
 * Describes the element that a test looks for in a page: by role and accessible name, as a user would find
 * it, or by a CSS selector.
 */
export interface ElementDescription {
  role?: 'button' | 'link' | 'textbox' | 'heading' | 'dialog' | 'log' | 'alert' | 'article' | 'checkbox'
  /** The complete accessible name of the element. A name between slashes is a regular expression. */
  name?: string
  css?: string
  /** A text that the element must contain. */
  text?: string
  /** The CSS selector of another element: the test looks only inside this element. */
  within?: string
  /** Whether the test also finds the element if it is invisible. */
  hidden?: boolean
}

/**
 * Returns the first element of the page that matches the description; null if none does. Tests send this
 * function to the browser as source code, so it uses nothing from outside itself.
 */
export function findElement(target: ElementDescription): Element | null {
  const roles: Record<string, string> = {
    button: 'button, [role=button], input[type=submit], summary',
    link: 'a[href]',
    textbox:
      'textarea, input:not([type]), input[type=text], input[type=email], input[type=password], input[type=search]',
    heading: 'h1, h2, h3, h4',
    dialog: 'dialog[open], [role=dialog]',
    article: 'article',
    checkbox: 'input[type=checkbox]',
  }
  const selector = [target.css, target.role && (roles[target.role] ?? `[role=${target.role}]`)]
  const textOf = (element: Element | null | undefined) =>
    (element?.textContent ?? '').replace(/\s+/g, ' ').trim()

  function nameOf(element: Element) {
    const ids = element.getAttribute('aria-labelledby')?.split(' ')
    if (ids) return ids.map((id) => textOf(document.getElementById(id))).join(' ')
    const labels = [...((element as HTMLInputElement).labels ?? [])].map(textOf).join(' ')
    const images = [...element.querySelectorAll('img[alt]')]
      .map((image) => image.getAttribute('alt'))
      .join(' ')
    return (
      element.getAttribute('aria-label') ||
      labels ||
      textOf(element) ||
      images ||
      element.getAttribute('title') ||
      ''
    )
  }
  function isNamed(element: Element) {
    if (target.name === undefined) return true
    const pattern = /^\/(.*)\/$/.exec(target.name)
    return pattern ? new RegExp(pattern[1]!).test(nameOf(element)) : nameOf(element) === target.name
  }
  function isSeen(element: Element) {
    const { width, height } = element.getBoundingClientRect()
    return target.hidden || (width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true }))
  }

  const root = target.within === undefined ? document : document.querySelector(target.within)
  const found = root ? [...root.querySelectorAll(selector.filter(Boolean).join() || '*')] : []
  const fits = found.filter(
    (element) =>
      isNamed(element) && (!target.text || textOf(element).includes(target.text)) && isSeen(element),
  )
  // Chooses the innermost element that contains the text if the description has no role and no CSS selector.
  return (selector.some(Boolean) ? fits[0] : fits.at(-1)) ?? null
}
