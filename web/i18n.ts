import { createContext, useContext } from 'react'
import type { Language } from '#core/contract.ts'
import { dot } from '#core/text/dot.ts'
import { pageData } from '#web/page-data.ts'

export const LangContext = createContext<Language>(pageData.lang)
export const useLang = () => useContext(LangContext)

/** Its type makes TypeScript check that both languages have the same keys. */
export const defineTexts = <T extends Readonly<Record<string, unknown>>>(both: Record<Language, T>) => both
export const useText = <T>(both: Record<Language, T>): T => both[useLang()]

/** Between two parts of a line. */
export const Dot = () => dot[useLang()]

/** An empty string for 1, `s` for any other number. */
export const pluralSuffix = (n: number) => (n === 1 ? '' : 's')

const isJapanese = (written: string) =>
  /[\u3040-\u30ff]/.test(written) || (/[\u4e00-\u9fff]/.test(written) && !/[\uac00-\ud7af]/.test(written))

/** Kana, or kanji without hangul, is Japanese; other Latin letters are English; undefined for the rest. */
export function detectLanguage(written: string): 'ja' | 'en' | undefined {
  if (isJapanese(written)) return 'ja'
  return /[A-Za-z]/.test(written) ? 'en' : undefined
}
