import type { Language } from '#core/contract.ts'

const units = ['megabyte', 'gigabyte', 'terabyte'] as const

/** Formats a size, such as “4.1 GB”. One GB is 1000 MB. */
export function formatBytes(bytes: number, lang: Language) {
  let [amount, at] = [bytes / 1e6, 0]
  for (; amount >= 1000 && at < units.length - 1; at++) amount /= 1000
  const maximumFractionDigits = amount < 10 ? 1 : 0
  return new Intl.NumberFormat(lang, {
    style: 'unit',
    unit: units[at]!,
    unitDisplay: 'short',
    maximumFractionDigits,
  }).format(amount)
}
