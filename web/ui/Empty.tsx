import type { ReactNode } from 'react'
import { Avatar } from '#web/ui/Avatar.tsx'

interface EmptyProps {
  title: ReactNode
  titleLang?: string | undefined
  help?: ReactNode
  /** One action. */
  children?: ReactNode
  /** On the bare ground, without a board. */
  plain?: boolean
  /** Where it is all that the page says, its title is the page's. */
  as?: 'h1' | 'h2'
}

export const Empty = ({ title, titleLang, help, children, plain, as: Title = 'h2' }: EmptyProps) => (
  <div className="empty" data-plain={plain || undefined}>
    <div className="seats" aria-hidden="true">
      <Avatar person={null} />
      <Avatar person={null} />
    </div>
    <Title lang={titleLang} tabIndex={Title === 'h1' ? -1 : undefined}>
      {title}
    </Title>
    {help && <p>{help}</p>}
    {children}
  </div>
)
