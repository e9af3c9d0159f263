import type { ReactNode } from 'react'
import { Avatar } from '#web/ui/Avatar.tsx'

interface EmptyProps {
  title: ReactNode
  titleLang?: string | undefined
  help?: ReactNode
  /** A button or link for the next step. */
  children?: ReactNode
  /** Without the white background. */
  plain?: boolean
  /** `h1` where the page shows nothing else. */
  as?: 'h1' | 'h2'
  /** How many empty avatars are drawn. */
  seats?: 1 | 2
}

/** Shown in place of a list or page that has nothing to show. */
export const Empty = ({
  title,
  titleLang,
  help,
  children,
  plain,
  as: Title = 'h2',
  seats = 2,
}: EmptyProps) => (
  <div className="empty" data-plain={plain || undefined}>
    <div className="empty-avatars" aria-hidden="true">
      <Avatar person={null} />
      {seats === 2 && <Avatar person={null} />}
    </div>
    <Title lang={titleLang} tabIndex={Title === 'h1' ? -1 : undefined}>
      {title}
    </Title>
    {help && <p>{help}</p>}
    {children}
  </div>
)
