import type { ReactNode } from 'react'
import { Face } from '#web/ui/Face.tsx'

interface EmptyProps {
  title: ReactNode
  titleLang?: string | undefined
  help?: ReactNode
  /** One action. */
  children?: ReactNode
  /** On the bare ground, without a board. */
  plain?: boolean
}

export const Empty = ({ title, titleLang, help, children, plain }: EmptyProps) => (
  <div className="empty" data-plain={plain || undefined}>
    <div className="seats" aria-hidden="true">
      <Face person={null} />
      <Face person={null} />
    </div>
    <h2 lang={titleLang}>{title}</h2>
    {help && <p>{help}</p>}
    {children}
  </div>
)
