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
  <header className="sill">
    <h1 tabIndex={-1}>
      {titleLang ? <span lang={titleLang}>{title}</span> : title}
      {sub && (
        <>
          {' '}
          <span className="sub">{sub}</span>
        </>
      )}
    </h1>
    {children && <div className="bench">{children}</div>}
  </header>
)

/** Decoration beside the title of a page that is not about a person: two avatars and an empty place. */
export const EmptyAvatars = () => (
  <>
    <span className="face s" data-dye="6" aria-hidden="true" />
    <span className="face s" data-dye="7" aria-hidden="true" />
    <span className="face s free" aria-hidden="true" />
  </>
)
