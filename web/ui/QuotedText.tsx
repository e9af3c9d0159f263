import type { Lang } from '#core/contract.ts'
import { useLang } from '#web/i18n.ts'

interface FixedProps {
  children: string
  /** The language of the text itself. */
  lang?: Lang
  /** The same in the other language. */
  also: string
}

/** A text that stays as it is in both languages; a line beneath says it in the reader's own. */
export function QuotedText({ children, lang = 'en', also }: FixedProps) {
  const reader = useLang()
  if (reader === lang) return children
  return (
    <>
      <span lang={lang}>{children}</span>
      <small lang={reader}>{also}</small>
    </>
  )
}
