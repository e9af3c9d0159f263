import { createContext, useContext } from 'react'
import type { Lang } from '#core/contract.ts'
import { pageData } from '#web/page-data.ts'

export const LangContext = createContext<Lang>(pageData.lang)
export const useLang = () => useContext(LangContext)

/** A feature's strings: the same keys in both languages, or it does not compile. */
export const texts = <T extends Readonly<Record<string, unknown>>>(both: Record<Lang, T>) => both
export const useText = <T>(both: Record<Lang, T>): T => both[useLang()]

const isJapanese = (written: string) =>
  /[\u3040-\u30ff]/.test(written) || (/[\u4e00-\u9fff]/.test(written) && !/[\uac00-\ud7af]/.test(written))

/**
 * The language of a text that a person wrote, by its letters. Kana, or kanji without hangul, is Japanese.
 * Latin letters alone count as English.
 */
export function langOf(written: string): 'ja' | 'en' | undefined {
  if (isJapanese(written)) return 'ja'
  return /[A-Za-z]/.test(written) ? 'en' : undefined
}
