import type { ReactNode } from 'react'

interface LayoutProps {
  /** `desk` is narrow and centred, `wide` is as wide as the window, `inset` leaves a margin on phones. */
  kind?: 'desk' | 'wide' | 'inset' | 'wide inset'
  /** The sidebar of wide windows. */
  sidebar?: ReactNode
  children: ReactNode
}

/** The layout of a page: its content, and a sidebar beside it. */
export const PageLayout = ({ kind, sidebar, children }: LayoutProps) => (
  <div className={kind ? `house ${kind}` : 'house'}>
    <div className="room">{children}</div>
    {sidebar}
  </div>
)
