const YEAR = 365 * 24 * 3600

const grounds = { light: '#e7ebe3', dark: '#101512' }

/** The page in a theme, and the browser's own bars with it; `null` is the system's. */
export function paint(theme: 'light' | 'dark' | null) {
  if (theme) document.documentElement.dataset.theme = theme
  else delete document.documentElement.dataset.theme
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]'))
    meta.content = grounds[theme ?? (meta.media.includes('dark') ? 'dark' : 'light')]
}

/** The reader's own settings travel as cookies, so that the server draws the first page by them. `null` forgets. */
export function keepSetting(name: 'lang' | 'theme', value: string | null) {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not in every browser that we serve
  document.cookie = `${name}=${value ?? ''}; Path=/; Max-Age=${value ? YEAR : 0}; SameSite=Lax${secure}`
}
