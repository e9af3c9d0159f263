import type { Language } from '#core/contract.ts'

/**
 * The locale of each language for dates and times. Both locales have 24 hours; dates in en-GB also name the
 * month.
 */
const locales = { en: 'en-GB', ja: 'ja-JP' } satisfies Record<Language, string>

/** The functions that format times for the pages of an archive. The times are given in ISO 8601. */
export type DataExportTimeFormatters = ReturnType<typeof createDataExportTimeFormatters>

/** Returns the functions that format times in a language and a time zone, such as Asia/Tokyo. */
export function createDataExportTimeFormatters(lang: Language, timeZone: string) {
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
    /**
     * Returns the day of a time as `2026-11-22`. Uses the Swedish locale, because Swedish dates have this
     * form.
     */
    toIsoDay: createFormatter({ dateStyle: 'short' }, 'sv-SE'),
  }
}
