import type { Language } from '#core/contract.ts'

/** Between two parts of a line. */
export const dot: Readonly<Record<Language, string>> = { en: ' · ', ja: '・' }
