import type { ReactNode } from 'react'
import { Avatar } from '#web/ui/Avatar.tsx'

interface EmptyProps {
  title: ReactNode
  titleLang?: string | undefined
  help?: ReactNode
  children?: ReactNode
  withoutBackground?: boolean
  /** `h1` if the page shows nothing else. */
  as?: 'h1' | 'h2'
  avatarCount?: 1 | 2
}

/** For an empty list, an error, or a request to log in. */
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
