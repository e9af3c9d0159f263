import { useLang } from '#web/i18n.ts'

/**
 * Returns a function that formats a day in the language of the interface, such as “28 November 2026”. The
 * function uses the reader's region for that language, as the other dates of the pages do.
 */
export function useLongDateFormatter() {
  const lang = useLang()
  const locale =
    navigator.languages.find((known) => known.startsWith(lang)) ?? (lang === 'en' ? 'en-GB' : lang)
  return (at: string) => new Date(at).toLocaleDateString(locale, { dateStyle: 'long' })
}
