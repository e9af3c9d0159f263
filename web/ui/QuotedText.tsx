import type { Lang } from '#core/contract.ts'
import { useLang } from '#web/i18n.ts'

interface QuotedTextProps {
  children: string
  /** The language of the text itself. */
  lang?: Lang
  /** Its translation into the other language. */
  also: string
}

/**
 * A text that the specification quotes. Its English texts are translated for readers of Japanese. Its
 * Japanese texts stay for readers of English, with the translation below.
 */
export function QuotedText({ children, lang = 'en', also }: QuotedTextProps) {
  const reader = useLang()
  if (reader === lang) return children
  if (lang === 'en') return also
  return (
    <>
      <span lang={lang}>{children}</span>
      <small lang={reader}>{also}</small>
    </>
  )
}
