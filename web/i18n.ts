import { createContext, useContext } from 'react'
import type { Language } from '#core/contract.ts'
import { initialPageData } from '#web/page-data.ts'

export const LangContext = createContext<Language>(initialPageData.lang)
export const useLang = () => useContext(LangContext)

/**
 * Returns the given texts of a feature, in English (`en`) and Japanese (`ja`), unchanged. Its type makes
 * TypeScript check that both languages have the same keys.
 */
export const defineTexts = <T extends Readonly<Record<string, unknown>>>(both: Record<Language, T>) => both
export const useText = <T>(both: Record<Language, T>): T => both[useLang()]

/**
 * Returns the ending of a regular English noun after a number: an empty string for 1, `s` for any other
 * number.
 */
export const pluralSuffix = (n: number) => (n === 1 ? '' : 's')

const isJapanese = (written: string) =>
  /[\u3040-\u30ff]/.test(written) || (/[\u4e00-\u9fff]/.test(written) && !/[\uac00-\ud7af]/.test(written))

/**
 * Guesses the language of a user's text from its letters. Kana, or kanji without hangul, is Japanese; other
 * texts with Latin letters are English. Returns undefined for all other texts.
 */
export function detectLanguageOfUserText(written: string): 'ja' | 'en' | undefined {
  if (isJapanese(written)) return 'ja'
  return /[A-Za-z]/.test(written) ? 'en' : undefined
}
