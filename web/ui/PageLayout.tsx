import type { ReactNode } from 'react'
import { avatarStyle } from '#web/ui/Avatar.tsx'

interface LayoutProps {
  /** `narrow`: one column for a form; `wide`: no room for a sidebar; `inset`: a margin on phones. */
  kind?: 'narrow' | 'wide' | 'inset' | 'wide inset'
  /** Only wide windows show it. */
  sidebar?: ReactNode
  children: ReactNode
}

export const PageLayout = ({ kind, sidebar, children }: LayoutProps) => (
  <div className={kind ? `page ${kind}` : 'page'}>
    <div className="content">{children}</div>
    {sidebar}
  </div>
)

interface PageHeaderProps {
  title: string
  titleLang?: string | undefined
  /** Usually the title in the other language. */
  sub?: ReactNode
  /** Beside the title. */
  children?: ReactNode
}

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

/** For pages that are not about a person. */
export const HeaderAvatars = () => (
  <>
    <span className="avatar s" style={avatarStyle(5)} aria-hidden="true" />
    <span className="avatar s" style={avatarStyle(6)} aria-hidden="true" />
    <span className="avatar s no-person" aria-hidden="true" />
  </>
)
