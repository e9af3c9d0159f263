import type { BilingualSentence, Language } from '#core/contract.ts'
import { formatBytes } from '#core/format-bytes.ts'

/** The result of one check of the server, with sentences for admins and for the operator. */
export interface HealthCheckResult {
  /** The name of the check in the API, such as `mail`. */
  name: string
  /**
   * The outcome of the check. `attention`: what was checked works, but something should change. `problem`:
   * something fails, or soon will.
   */
  status: HealthStatus
  title: BilingualSentence
  /** A sentence with the result of the check. */
  finding: BilingualSentence
  /** A sentence that says what to do; null if there is nothing to do. */
  advice: BilingualSentence | null
}

export const healthStatuses = ['ok', 'attention', 'problem'] as const
export type HealthStatus = (typeof healthStatuses)[number]

/** The part of a `HealthCheckResult` that the function of a check returns. `advice` may be missing. */
export type HealthStatusAndFinding = Pick<HealthCheckResult, 'status' | 'finding'> & {
  advice?: BilingualSentence
}

/** Returns a text in both languages, from a function that formats it for one language. */
const inBothLanguages = (format: (lang: Language) => string): BilingualSentence => ({
  en: format('en'),
  ja: format('ja'),
})

/** Formats a size for sentences in both languages. */
export const toBilingualSize = (bytes: number) => inBothLanguages((lang) => formatBytes(bytes, lang))

const SECOND = 1000
const units = [
  ['day', 24 * 3600 * SECOND],
  ['hour', 3600 * SECOND],
  ['minute', 60 * SECOND],
  ['second', SECOND],
] as const

/**
 * Returns a duration of `ms` in English and in Japanese, as one number with a unit (“3 hours”), because the
 * findings are written in both languages.
 */
export function toBilingualDuration(ms: number) {
  const [unit, length] = units.find(([, length]) => ms >= length) ?? units[3]
  return inBothLanguages((lang) =>
    new Intl.NumberFormat(lang, {
      style: 'unit',
      unit,
      unitDisplay: 'long',
      maximumFractionDigits: 0,
    }).format(Math.floor(ms / length)),
  )
}

/** Formats how long ago an ISO time was (“3 hours ago”), for sentences in both languages. */
export function toBilingualTimeAgo(time: string) {
  const duration = toBilingualDuration(Math.max(0, Date.now() - Date.parse(time)))
  return { en: `${duration.en} ago`, ja: `${duration.ja}前` }
}
