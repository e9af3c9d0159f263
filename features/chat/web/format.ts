import type { Lang } from '#core/contract.ts'

const formats = new Map<string, Intl.DateTimeFormat>()
function format(lang: Lang, name: string, options: Intl.DateTimeFormatOptions) {
  const locale =
    navigator.languages.find((known) => known.startsWith(lang)) ?? (lang === 'en' ? 'en-GB' : lang)
  const key = `${locale} ${name}`
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat(locale, options))
  return formats.get(key)!
}

/** “10:02” */
export const clock = (at: string, lang: Lang) =>
  format(lang, 'clock', { hour: 'numeric', minute: '2-digit' }).format(new Date(at))
/** “Thursday, 14 May” or “5月14日（木）”, with its year where that is not this one. */
export function longDay(at: string, lang: Lang) {
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
/** Days from then to now, by the local calendar: 0 is today. */
export const daysAgo = (at: string) =>
  Math.round((midnight(Date.now()) - midnight(Date.parse(at))) / 86_400_000)

/** For a list: the time of today, the weekday of this week, else the date. */
export function shortWhen(at: string, lang: Lang) {
  const days = daysAgo(at)
  if (days < 1) return clock(at, lang)
  if (days < 7) return format(lang, 'weekday', { weekday: 'short' }).format(new Date(at))
  const sameYear = new Date(at).getFullYear() === new Date().getFullYear()
  if (sameYear) return format(lang, 'date', { day: 'numeric', month: 'short' }).format(new Date(at))
  return format(lang, 'full date', { dateStyle: 'short' }).format(new Date(at))
}
/** “14 May 2026 at 10:02” */
export const exactly = (at: string, lang: Lang) =>
  format(lang, 'exact', { dateStyle: 'long', timeStyle: 'short' }).format(new Date(at))

/** One to three emoji alone are shown large. The search for letters comes first because it is quick. */
export const isEmoji = (text: string) =>
  text.length < 60 && !/\p{L}/u.test(text) && /^(\p{RGI_Emoji}\s?){1,3}$/v.test(text)
