import { useLang } from '#web/i18n.ts'
import { createStore, useStore } from '#web/store.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The current time, updated every 30 seconds by one timer for the whole page. */
const now = createStore(Date.now())
const tick = () => now.set(Date.now())
setInterval(tick, 30_000)
// Browsers stop timers of hidden pages, so a page that is shown again is updated at once.
document.addEventListener('visibilitychange', () => document.hidden || tick())

/** In English in both languages, as the specification asks. */
const relative = new Intl.RelativeTimeFormat('en')
const ago = (count: number, unit: Intl.RelativeTimeFormatUnit) => relative.format(-count, unit)
const midnight = (time: number) => new Date(time).setHours(0, 0, 0, 0)

function timeAgo(at: number, until: number) {
  const gone = until - at
  if (gone < MINUTE) return 'just now'
  if (gone < HOUR) return ago(Math.floor(gone / MINUTE), 'minute')
  if (gone < DAY) return ago(Math.floor(gone / HOUR), 'hour')
  const days = Math.round((midnight(until) - midnight(at)) / DAY)
  if (days < 2) return 'yesterday'
  if (days < 30) return ago(days, 'day')
  return days < 365 ? ago(Math.floor(days / 30), 'month') : ago(Math.floor(days / 365), 'year')
}

const formats = new Map<string, Intl.DateTimeFormat>()
function fullDate(at: Date, lang: string) {
  const locale =
    navigator.languages.find((known) => known.startsWith(lang)) ?? (lang === 'en' ? 'en-GB' : lang)
  if (!formats.has(locale))
    formats.set(locale, new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' }))
  return formats.get(locale)?.format(at)
}

interface TimeProps {
  at: string
  /** Shows the date and time too, which otherwise are in the tooltip. */
  whole?: boolean | undefined
}

/** “4 minutes ago”, updated while it is on the screen. */
export function Time({ at, whole }: TimeProps) {
  const lang = useLang()
  const date = new Date(at)
  // Renders again only when the words change.
  const words = useStore(now, (time) => timeAgo(date.getTime(), Math.max(time, date.getTime())))
  return (
    <time dateTime={at} title={fullDate(date, lang)}>
      <span lang="en">{words}</span>
      {whole && ` · ${fullDate(date, lang)}`}
    </time>
  )
}
