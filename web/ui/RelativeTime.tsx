import type { Language } from '#core/contract.ts'
import { currentTimeStore } from '#web/current-time.ts'
import { useLang } from '#web/i18n.ts'
import { useStore } from '#web/store.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The formats of the languages that were needed so far. It takes the browser milliseconds to create one. */
const relativeFormats: Partial<Record<Language, Intl.RelativeTimeFormat>> = {}
const dayWords = { en: ['just now', 'yesterday'], ja: ['たった今', '昨日'] } as const
const midnight = (time: number) => new Date(time).setHours(0, 0, 0, 0)

/** Returns the words for the time between `at` and `until`: “4 minutes ago”, or 4分前. */
function timeAgo(at: number, until: number, lang: Language) {
  const ago = (count: number, unit: Intl.RelativeTimeFormatUnit) => {
    relativeFormats[lang] ??= new Intl.RelativeTimeFormat(lang)
    const words = relativeFormats[lang].format(-count, unit)
    return lang === 'ja' ? words.replaceAll(' ', '') : words
  }
  const [justNow, yesterday] = dayWords[lang]
  const gone = until - at
  if (gone < MINUTE) return justNow
  if (gone < HOUR) return ago(Math.floor(gone / MINUTE), 'minute')
  if (gone < DAY) return ago(Math.floor(gone / HOUR), 'hour')
  const days = Math.round((midnight(until) - midnight(at)) / DAY)
  if (days < 2) return yesterday
  if (days < 30) return ago(days, 'day')
  return days < 365 ? ago(Math.floor(days / 30), 'month') : ago(Math.floor(days / 365), 'year')
}

const formats = new Map<string, Intl.DateTimeFormat>()
/**
 * Returns a date as text in the language of the interface. Uses the reader's region for that language, such
 * as en-US, if it is in the browser's list of languages.
 */
function formatDate(at: Date, lang: string, style: 'long' | 'medium') {
  const locale =
    navigator.languages.find((known) => known.startsWith(lang)) ?? (lang === 'en' ? 'en-GB' : lang)
  const key = `${locale} ${style}`
  const options: Intl.DateTimeFormatOptions =
    style === 'long' ? { dateStyle: 'long', timeStyle: 'short' } : { dateStyle: 'medium' }
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat(locale, options))
  return formats.get(key)!.format(at)
}

/**
 * Renders a date such as “2 Apr 2025”, for times that may be years ago: a date is then clearer than “2 years
 * ago”.
 */
export const ShortDate = ({ at }: { at: string }) => (
  <time dateTime={at}>{formatDate(new Date(at), useLang(), 'medium')}</time>
)

interface TimeProps {
  at: string
  /** Whether the text also contains the full date and time, which otherwise only the tooltip contains. */
  showFullDate?: boolean | undefined
}

/**
 * Renders a text that says how long ago a time was, such as “4 minutes ago”. The text is updated while it is
 * on the screen.
 */
export function RelativeTime({ at, showFullDate }: TimeProps) {
  const lang = useLang()
  const date = new Date(at)
  // Renders the component again only when these words change, not at every update of the current time.
  const words = useStore(currentTimeStore, (time) =>
    timeAgo(date.getTime(), Math.max(time, date.getTime()), lang),
  )
  return (
    <time dateTime={at} title={formatDate(date, lang, 'long')}>
      {words}
      {showFullDate && ` · ${formatDate(date, lang, 'long')}`}
    </time>
  )
}
