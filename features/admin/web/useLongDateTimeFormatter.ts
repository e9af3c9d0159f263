import { useLang } from '#web/i18n.ts'

/**
 * Returns a function that formats a time in the language of the interface, such as “28 November 2026, 14:05”.
 * Uses the format of the reader's region for that language, as the other dates of the pages do.
 */
export function useLongDateTimeFormatter() {
  const lang = useLang()
  const locale =
    navigator.languages.find((known) => known.startsWith(lang)) ?? (lang === 'en' ? 'en-GB' : lang)
  return (at: string) => new Date(at).toLocaleString(locale, { dateStyle: 'long', timeStyle: 'short' })
}
