import type { ReactNode } from 'react'
import { Avatar } from '#web/ui/Avatar.tsx'

interface EmptyProps {
  title: ReactNode
  titleLang?: string | undefined
  help?: ReactNode
  /** The content below the help, such as a button or link with which the user goes on. */
  children?: ReactNode
  /** Whether the box for missing content has no background of its own. */
  withoutBackground?: boolean
  /** The HTML element of the box's title: `h1` if the page shows nothing else, otherwise `h2`. */
  as?: 'h1' | 'h2'
  /** The number of empty avatars that the box shows above its title. */
  avatarCount?: 1 | 2
}

/**
 * Renders a box with a title and help in place of content that is missing: for an empty list, an error, or a
 * request to log in.
 */
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
