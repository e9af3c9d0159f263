import type { Language, Sentence } from '#core/contract.ts'
import { formatBytes } from '#core/text/format-bytes.ts'

export interface CheckResult {
  /** The name of the check in the API, such as `mail`. */
  name: string
  /**
   * The outcome of the check. `attention`: what was checked works, but something should change. `problem`:
   * something fails, or soon will.
   */
  status: HealthStatus
  title: Sentence
  finding: Sentence
  /** A sentence that says what to do; null if there is nothing to do. */
  advice: Sentence | null
}

export const healthStatuses = ['ok', 'attention', 'problem'] as const
export type HealthStatus = (typeof healthStatuses)[number]

/** The part of a `CheckResult` that the function of a check returns. `advice` may be missing. */
export type Finding = Pick<CheckResult, 'status' | 'finding'> & {
  advice?: Sentence
}

const inBothLanguages = (format: (lang: Language) => string): Sentence => ({
  en: format('en'),
  ja: format('ja'),
})

/** Formats a size for sentences in both languages. */
export const sizeText = (bytes: number) => inBothLanguages((lang) => formatBytes(bytes, lang))

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
export function durationText(ms: number) {
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
export function agoText(time: string) {
  const duration = durationText(Math.max(0, Date.now() - Date.parse(time)))
  return { en: `${duration.en} ago`, ja: `${duration.ja}前` }
}
