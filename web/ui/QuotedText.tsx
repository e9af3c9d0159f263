import type { Lang } from '#core/contract.ts'
import { useLang } from '#web/i18n.ts'

interface QuotedTextProps {
  children: string
  /** The language of the text itself. */
  lang?: Lang
  /** Its translation into the other language. */
  also: string
}

/** A text that is the same in both languages. Readers of the other language get a translation below. */
export function QuotedText({ children, lang = 'en', also }: QuotedTextProps) {
  const reader = useLang()
  if (reader === lang) return children
  return (
    <>
      <span lang={lang}>{children}</span>
      <small lang={reader}>{also}</small>
    </>
  )
}
