import type { Language } from '#core/contract.ts'

const units = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Formats a size, such as “4.1 GB”, in Japanese “4.1GB”. One GB is 1000 MB. */
export function formatBytes(bytes: number, lang: Language) {
  // A small file is not 0 kB.
  let [amount, at] = [bytes && Math.max(1, bytes / 1e3), 0]
  for (; amount >= 999.5 && at < units.length - 1; at++) amount /= 1000
  const maximumFractionDigits = at && amount < 10 ? 1 : 0
  return new Intl.NumberFormat(lang, {
    style: 'unit',
    unit: units[at]!,
    // Japanese has no space between a number and Latin letters.
    unitDisplay: lang === 'ja' ? 'narrow' : 'short',
    maximumFractionDigits,
  }).format(amount)
}
