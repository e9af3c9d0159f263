const YEAR = 365 * 24 * 3600

const backgrounds = { light: '#e7ebe3', dark: '#101512' }

/**
 * Applies a theme to the page and to the browser's own bars; a theme of `null` follows the operating system.
 */
export function applyTheme(theme: 'light' | 'dark' | null) {
  if (theme) document.documentElement.dataset.theme = theme
  else delete document.documentElement.dataset.theme
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]'))
    meta.content = backgrounds[theme ?? (meta.media.includes('dark') ? 'dark' : 'light')]
}

/**
 * Loads the style sheet of the community's accent colour (`#rrggbb`). If the colour is null, disables that
 * style sheet, so that the page has the standard colour.
 */
export function applyAccentColourStyleSheet(colour: string | null) {
  const link = document.getElementById('accent') as HTMLLinkElement
  if (colour) {
    link.rel = 'stylesheet'
    link.href = `/accent/${colour.slice(1)}.css`
  }
  link.disabled = !colour
}

/**
 * Stores the language or the theme as a cookie, so that the server can use it in the HTML of the next page. A
 * value of `null` removes the cookie.
 */
export function saveLanguageOrThemeCookie(name: 'lang' | 'theme', value: string | null) {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not in every browser that we serve
  document.cookie = `${name}=${value ?? ''}; Path=/; Max-Age=${value ? YEAR : 0}; SameSite=Lax${secure}`
}
