const YEAR = 365 * 24 * 3600

/** The reader's own settings travel as cookies, so that the server draws the first page by them. `null` forgets. */
export function keepSetting(name: 'lang' | 'theme', value: string | null) {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not in every browser that we serve
  document.cookie = `${name}=${value ?? ''}; Path=/; Max-Age=${value ? YEAR : 0}; SameSite=Lax${secure}`
}
