import type { LucideIcon } from 'lucide-react'

export type { LucideIcon }

/** 20 px; `s` 16, `l` 24. Screen readers skip it: a text is beside it, or its button has a label. */
export const Icon = ({
  icon: Drawing,
  size,
  className = '',
}: {
  icon: LucideIcon
  size?: 's' | 'l' | undefined
  className?: string
}) => <Drawing className={`icon ${size ?? ''} ${className}`.trim()} aria-hidden="true" />
