import type { Language } from '#core/contract.ts'

const formats = new Map<string, Intl.DateTimeFormat>()
function format(lang: Language, name: string, options: Intl.DateTimeFormatOptions) {
  const locale =
    navigator.languages.find((known) => known.startsWith(lang)) ?? (lang === 'en' ? 'en-GB' : lang)
  const key = `${locale} ${name}`
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat(locale, options))
  return formats.get(key)!
}

/** Formats the time of day of a timestamp: “10:02”. */
export const formatClockTime = (at: string, lang: Language) =>
  format(lang, 'clock', { hour: 'numeric', minute: '2-digit' }).format(new Date(at))
/**
 * Formats the weekday and the date of a timestamp: “Thursday, 14 May” or “5月14日（木）”. Adds the year if it is
 * not the current year.
 */
export function formatWeekdayAndDate(at: string, lang: Language) {
  const date = new Date(at)
  const sameYear = date.getFullYear() === new Date().getFullYear()
  const options: Intl.DateTimeFormatOptions = {
    weekday: lang === 'ja' ? 'short' : 'long',
    day: 'numeric',
    month: 'long',
    ...(!sameYear && { year: 'numeric' }),
  }
  const day = format(lang, sameYear ? 'day' : 'day of year', options).format(date)
  return lang === 'ja' ? day.replace('(', '（').replace(')', '）') : day
}

const midnight = (time: number) => new Date(time).setHours(0, 0, 0, 0)
/** Returns how many days ago a time was, by the local calendar. Today is 0, yesterday 1. */
export const countCalendarDaysSince = (at: string) =>
  Math.round((midnight(Date.now()) - midnight(Date.parse(at))) / 86_400_000)

/**
 * Formats a timestamp for a list: the time of day if it is today, the weekday if it is less than a week ago,
 * otherwise the date.
 */
export function formatTimeWeekdayOrDate(at: string, lang: Language) {
  const days = countCalendarDaysSince(at)
  if (days < 1) return formatClockTime(at, lang)
  if (days < 7) return format(lang, 'weekday', { weekday: 'short' }).format(new Date(at))
  const sameYear = new Date(at).getFullYear() === new Date().getFullYear()
  if (sameYear) return format(lang, 'date', { day: 'numeric', month: 'short' }).format(new Date(at))
  return format(lang, 'full date', { dateStyle: 'short' }).format(new Date(at))
}
/** Formats the date and the time of day of a timestamp: “14 May 2026 at 10:02”. */
export const formatDateTime = (at: string, lang: Language) =>
  format(lang, 'exact', { dateStyle: 'long', timeStyle: 'short' }).format(new Date(at))
