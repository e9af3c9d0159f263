import type { ReactNode } from 'react'

interface SillProps {
  title: string
  titleLang?: string | undefined
  /** A second, smaller line of the title: its other language, usually. */
  sub?: ReactNode
  /** Who or what sits on the sill. */
  children?: ReactNode
}

/** The page's title on its wooden line. */
export const PageHeader = ({ title, titleLang, sub, children }: SillProps) => (
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

/** Two people and a free place: for pages that are about nobody yet. */
export const EmptyAvatars = () => (
  <>
    <span className="face s" data-dye="6" aria-hidden="true" />
    <span className="face s" data-dye="7" aria-hidden="true" />
    <span className="face s free" aria-hidden="true" />
  </>
)
