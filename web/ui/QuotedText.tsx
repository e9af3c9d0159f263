import type { Language } from '#core/contract.ts'
import { useLang } from '../i18n.ts'

interface Props {
  children: string
  lang?: Language
  translation: string
}

/** Readers of Japanese see quoted English translated, those of English see the translation below Japanese. */
export function QuotedText({ children, lang = 'en', translation }: Props) {
  const reader = useLang()
  if (reader === lang) return children
  if (lang === 'en') return translation
  return (
    <>
      <span lang={lang}>{children}</span>
      <small lang={reader}>{translation}</small>
    </>
  )
}
