import './account.css'
import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { useRootDataAttributeWhileMounted } from '#web/root-attribute.ts'

/** Renders the content that is printed instead of the page. The screen does not show it. */
export function PrintSheet({ children }: { children: ReactNode }) {
  useRootDataAttributeWhileMounted('printSheet')
  return createPortal(
    <div className="print-sheet" aria-hidden>
      {children}
    </div>,
    document.body,
  )
}
