import type { Language } from '#core/contract.ts'

/** 24 hours in both; dates in en-GB also name the month. */
const locales = { en: 'en-GB', ja: 'ja-JP' } satisfies Record<Language, string>

/** For times in ISO 8601. */
export type TimeFormatters = ReturnType<typeof createFormatters>

export function createFormatters(lang: Language, timeZone: string) {
  const createFormatter = (options: Intl.DateTimeFormatOptions, locale: string = locales[lang]) => {
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone })
    return (time: string) => format.format(new Date(time))
  }
  return {
    timeZone,
    formatDateAndTime: createFormatter({ dateStyle: 'long', timeStyle: 'short' }),
    formatTimeOfDay: createFormatter({ timeStyle: 'short' }),
    formatDay: createFormatter({ dateStyle: 'full' }),
    formatShortDay: createFormatter({ dateStyle: 'medium' }),
    formatMonth: createFormatter({ month: 'long', year: 'numeric' }),
    /** As `2026-11-22`, the form of Swedish dates. */
    toIsoDay: createFormatter({ dateStyle: 'short' }, 'sv-SE'),
    /** As `2026-11-22 09:05`, which all spreadsheets read. */
    toIsoMinute: createFormatter({ dateStyle: 'short', timeStyle: 'short' }, 'sv-SE'),
  }
}

/** For example “28 November 2026” for the standard region of the language. */
export const longDate = (time: string, lang: Language, timeZone: string) =>
  new Date(time).toLocaleDateString(lang, { dateStyle: 'long', timeZone })

/** More than the IANA zones that are in use. */
const MAX_ZONES = 500
const clocks = new Map<string, Intl.DateTimeFormat>()
function clockOf(timeZone: string) {
  const known = clocks.get(timeZone)
  if (known) return known
  if (clocks.size >= MAX_ZONES) clocks.clear()
  const units = { year: 'numeric', month: 'numeric', day: 'numeric' } as const
  const times = { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const
  const created = new Intl.DateTimeFormat('en', { ...units, ...times, timeZone })
  clocks.set(timeZone, created)
  return created
}

type Unit = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'

/** What clocks and calendars in the zone show at a time (in ms). Months begin with 1. */
export const localTime = (time: number, timeZone: string) =>
  Object.fromEntries(
    clockOf(timeZone)
      .formatToParts(time)
      .map(({ type, value }) => [type, Number(value)]),
  ) as Record<Unit, number>
