import type { Language } from '#core/contract.ts'
import { useLang } from '#web/i18n.ts'

interface QuotedTextProps {
  children: string
  /** The language of the quoted text. */
  lang?: Language
  /** The translation of the quoted text into the other language. */
  translation: string
}

/**
 * Renders a text that the specification quotes. Readers of Japanese see quoted English texts in translation.
 * Readers of English see quoted Japanese texts unchanged, with the translation below.
 */
export function SpecificationTextWithTranslation({ children, lang = 'en', translation }: QuotedTextProps) {
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
