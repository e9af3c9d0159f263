const YEAR = 365 * 24 * 3600

const backgrounds = { light: '#e7ebe3', dark: '#101512' }

/** Also to the browser's own bars. Null follows the operating system. */
export function applyTheme(theme: 'light' | 'dark' | null) {
  if (theme) document.documentElement.dataset.theme = theme
  else delete document.documentElement.dataset.theme
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]'))
    meta.content = backgrounds[theme ?? (meta.media.includes('dark') ? 'dark' : 'light')]
}

/** `#rrggbb`; null for the standard colour. */
export function applyAccent(colour: string | null) {
  const link = document.getElementById('accent') as HTMLLinkElement
  if (colour) {
    link.rel = 'stylesheet'
    link.href = `/accent/${colour.slice(1)}.css`
  }
  link.disabled = !colour
}

/** For the HTML of the next page. Null removes the cookie. */
export function saveCookie(name: 'lang' | 'theme' | 'text', value: string | null) {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not in every browser that we serve
  document.cookie = `${name}=${value ?? ''}; Path=/; Max-Age=${value ? YEAR : 0}; SameSite=Lax${secure}`
}
