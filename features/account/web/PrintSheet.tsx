import './account.css'
import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { useLang } from '#web/i18n.ts'
import { pageData } from '#web/page-data.ts'
import { useRootAttribute } from '#web/root-attribute.ts'

/** Printed instead of the page; the screen does not show it. */
export function PrintSheet({ children }: { children: ReactNode }) {
  useRootAttribute('printSheet')
  return createPortal(
    <div className="print-sheet" aria-hidden>
      {children}
    </div>,
    document.body,
  )
}

/** For paper that others get: the language of the community or, if it has none, that of the reader. */
export function useCommunityLang() {
  const own = useLang()
  return pageData.app.lang ?? own
}
