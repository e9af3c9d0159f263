import type { ReactNode } from 'react'
import { toAvatarBackgroundStyle } from '#web/ui/Avatar.tsx'

interface LayoutProps {
  /**
   * `narrow` has one narrow column for a form, `wide` gives the content the whole width of the page without
   * room for a sidebar, and `inset` leaves a margin on phones.
   */
  kind?: 'narrow' | 'wide' | 'inset' | 'wide inset'
  /** The sidebar, which only wide windows show. */
  sidebar?: ReactNode
  children: ReactNode
}

/** The layout of a page: its content, and a sidebar beside it. */
export const PageLayout = ({ kind, sidebar, children }: LayoutProps) => (
  <div className={kind ? `page ${kind}` : 'page'}>
    <div className="content">{children}</div>
    {sidebar}
  </div>
)

interface PageHeaderProps {
  title: string
  titleLang?: string | undefined
  /** A smaller second line of the title, usually in the other language. */
  sub?: ReactNode
  /** Avatars or other content beside the title. */
  children?: ReactNode
}

/** The page's title, above a line. */
export const PageHeader = ({ title, titleLang, sub, children }: PageHeaderProps) => (
  <header className="page-header">
    <h1 tabIndex={-1}>
      {titleLang ? <span lang={titleLang}>{title}</span> : title}
      {sub && (
        <>
          {' '}
          <span className="sub">{sub}</span>
        </>
      )}
    </h1>
    {children && <div className="header-aside">{children}</div>}
  </header>
)

/** Decoration in the header of pages that are not about a person: two avatars and an empty one. */
export const DecorativeAvatars = () => (
  <>
    <span className="avatar s" style={toAvatarBackgroundStyle(5)} aria-hidden="true" />
    <span className="avatar s" style={toAvatarBackgroundStyle(6)} aria-hidden="true" />
    <span className="avatar s no-person" aria-hidden="true" />
  </>
)
