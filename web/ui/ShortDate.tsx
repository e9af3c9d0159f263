import { useLang } from '#web/i18n.ts'

/** “2 Apr 2025”: for what may be long ago, where a date says more than “2 years ago”. */
export function ShortDate({ at }: { at: string }) {
  const lang = useLang()
  const locale =
    navigator.languages.find((known) => known.startsWith(lang)) ?? (lang === 'en' ? 'en-GB' : lang)
  return <time dateTime={at}>{formatFor(locale).format(new Date(at))}</time>
}

const formats = new Map<string, Intl.DateTimeFormat>()
function formatFor(locale: string) {
  if (!formats.has(locale)) formats.set(locale, new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }))
  return formats.get(locale)!
}
