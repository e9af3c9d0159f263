import type { ReactNode } from 'react'
import { Avatar } from '#web/ui/Avatar.tsx'

interface EmptyProps {
  title: ReactNode
  titleLang?: string | undefined
  help?: ReactNode
  /** A button or link for the next step. */
  children?: ReactNode
  /** Draws no white background. */
  withoutBackground?: boolean
  /** `h1` if the page shows nothing else. */
  as?: 'h1' | 'h2'
  /** How many empty avatars are drawn. */
  avatarCount?: 1 | 2
}

/** Shown in place of a list or page that has nothing to show. */
export const EmptyState = ({
  title,
  titleLang,
  help,
  children,
  withoutBackground,
  as: Title = 'h2',
  avatarCount = 2,
}: EmptyProps) => (
  <div className="empty" data-plain={withoutBackground || undefined}>
    <div className="empty-avatars" aria-hidden="true">
      <Avatar person={null} />
      {avatarCount === 2 && <Avatar person={null} />}
    </div>
    <Title lang={titleLang} tabIndex={Title === 'h1' ? -1 : undefined}>
      {title}
    </Title>
    {help && <p>{help}</p>}
    {children}
  </div>
)
