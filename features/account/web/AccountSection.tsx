import type { ReactNode } from 'react'

interface SectionProps {
  title: string
  help?: ReactNode
  className?: string
  children: ReactNode
}

/** A card of the account page, with a title and a sentence about its content. */
export const AccountSection = ({ title, help, className = '', children }: SectionProps) => (
  <section className={`card account-section ${className}`.trim()}>
    <h2>{title}</h2>
    {help && <p className="text-soft">{help}</p>}
    {children}
  </section>
)
