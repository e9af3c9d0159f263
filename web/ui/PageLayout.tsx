import type { ReactNode } from 'react'
import { toAvatarBackgroundStyle } from '#web/ui/Avatar.tsx'

interface LayoutProps {
  /**
   * The kind of the layout. `narrow` has one narrow column for a form, `wide` gives the content the whole
   * width of the page without room for a sidebar, and `inset` leaves a margin on phones.
   */
  kind?: 'narrow' | 'wide' | 'inset' | 'wide inset'
  /** The sidebar beside the content of the page. Only wide windows show it. */
  sidebar?: ReactNode
  children: ReactNode
}

/** Renders the layout of a page: its content, and a sidebar beside it. */
export const PageLayout = ({ kind, sidebar, children }: LayoutProps) => (
  <div className={kind ? `page ${kind}` : 'page'}>
    <div className="content">{children}</div>
    {sidebar}
  </div>
)

interface PageHeaderProps {
  title: string
  titleLang?: string | undefined
  /** A smaller text after the title, usually the title in the other language. */
  sub?: ReactNode
  /** Avatars or other content beside the title of the page. */
  children?: ReactNode
}

/** Renders the header of a page: its title, above a line. */
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

/**
 * Renders two coloured avatars and an empty one as decoration in the header of pages that are not about a
 * person.
 */
export const DecorativeAvatars = () => (
  <>
    <span className="avatar s" style={toAvatarBackgroundStyle(5)} aria-hidden="true" />
    <span className="avatar s" style={toAvatarBackgroundStyle(6)} aria-hidden="true" />
    <span className="avatar s no-person" aria-hidden="true" />
  </>
)
