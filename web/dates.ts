import type { Language } from '#core/contract.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The reader's region for the language, such as en-US, if the browser lists it. */
const localeOf = (lang: Language) =>
  navigator.languages.find((known) => known.startsWith(lang)) ?? standardLocale(lang)
const standardLocale = (lang: Language) => (lang === 'en' ? 'en-GB' : lang)

/** It takes milliseconds to create one. */
const formats = new Map<string, Intl.DateTimeFormat>()
function format(at: string, locale: string, options: Intl.DateTimeFormatOptions) {
  const key = locale + JSON.stringify(options)
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat(locale, options))
  return formats.get(key)!.format(new Date(at))
}

/** For example “10:02”. */
export const clock = (at: string, lang: Language) =>
  format(at, localeOf(lang), { hour: 'numeric', minute: '2-digit' })
/** For example “14 May 2026 at 10:02”. */
export const exact = (at: string, lang: Language) =>
  format(at, localeOf(lang), { dateStyle: 'long', timeStyle: 'short' })
/** For example “14 May 2026”. */
export const long = (at: string, lang: Language) => format(at, localeOf(lang), { dateStyle: 'long' })
/** For paper that anybody may read: without the region of the person who prints it. */
export const printed = (at: string, lang: Language) => format(at, standardLocale(lang), { dateStyle: 'long' })
/** For example “2 Apr 2025”: for times that may be years ago, clearer than “2 years ago”. */
export const medium = (at: string, lang: Language) => format(at, localeOf(lang), { dateStyle: 'medium' })
/** For example “April 2025”. */
export const month = (at: string, lang: Language) =>
  format(at, localeOf(lang), { year: 'numeric', month: 'long' })
/** For example “2 Apr”. */
export const dayOfYear = (at: string, lang: Language) =>
  format(at, localeOf(lang), { day: 'numeric', month: 'short' })
/** For example “2 Apr, 10:02”. */
export const dayAndClock = (at: string, lang: Language) =>
  format(at, localeOf(lang), { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' })

/** For example “Japan Standard Time”, 日本標準時. */
export const zoneName = (timeZone: string, lang: Language) =>
  new Intl.DateTimeFormat(lang, { timeZone, timeZoneName: 'longGeneric' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value ?? timeZone

const isThisYear = (at: string) => new Date(at).getFullYear() === new Date().getFullYear()

/** For example “Thu” or “Thursday”. */
export const dayName = (at: string, lang: Language, weekday: 'short' | 'long') =>
  format(at, localeOf(lang), { weekday })

/** For example “Thursday, 14 May” or “5月14日（木）”, with the year if it is not the current one. */
export function weekday(at: string, lang: Language) {
  const day = format(at, localeOf(lang), {
    weekday: lang === 'ja' ? 'short' : 'long',
    day: 'numeric',
    month: 'long',
    ...(!isThisYear(at) && { year: 'numeric' }),
  })
  return lang === 'ja' ? day.replace('(', '（').replace(')', '）') : day
}

const midnight = (time: number) => new Date(time).setHours(0, 0, 0, 0)
/** Counts by the local calendar: today is 0, yesterday 1. */
export const daysSince = (at: string, until = Date.now()) =>
  Math.round((midnight(until) - midnight(Date.parse(at))) / DAY)

/** The time of day today, the weekday within a week, otherwise the date. */
export function short(at: string, lang: Language) {
  const days = daysSince(at)
  if (days < 1) return clock(at, lang)
  if (days < 7) return format(at, localeOf(lang), { weekday: 'short' })
  return isThisYear(at) ? dayOfYear(at, lang) : format(at, localeOf(lang), { dateStyle: 'short' })
}

const relativeFormats: Partial<Record<Language, Intl.RelativeTimeFormat>> = {}
const dayWords = { en: ['just now', 'yesterday'], ja: ['たった今', '昨日'] } as const

/** “4 minutes ago”, or 4分前. */
export function ago(at: string, until: number, lang: Language) {
  const words = (count: number, unit: Intl.RelativeTimeFormatUnit) => {
    relativeFormats[lang] ??= new Intl.RelativeTimeFormat(lang)
    const text = relativeFormats[lang].format(-count, unit)
    return lang === 'ja' ? text.replaceAll(' ', '') : text
  }
  const [justNow, yesterday] = dayWords[lang]
  const gone = until - Date.parse(at)
  if (gone < MINUTE) return justNow
  if (gone < HOUR) return words(Math.floor(gone / MINUTE), 'minute')
  if (gone < DAY) return words(Math.floor(gone / HOUR), 'hour')
  const days = daysSince(at, until)
  if (days < 2) return yesterday
  if (days < 30) return words(days, 'day')
  return days < 365 ? words(Math.floor(days / 30), 'month') : words(Math.floor(days / 365), 'year')
}

/** Of the device, such as Asia/Tokyo. */
export const timeZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone
