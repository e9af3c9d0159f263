import type { LucideIcon } from 'lucide-react'

export type { LucideIcon }

/** 20 px; `s` is 16, `l` is 24. Screen readers skip it: a text is beside it, or its button has a label. */
export const Icon = ({
  of: Drawing,
  size,
  className = '',
}: {
  of: LucideIcon
  size?: 's' | 'l' | undefined
  className?: string
}) => (
  <Drawing
    className={`icon ${size ?? ''} ${className}`.trim()}
    strokeWidth={1.75}
    aria-hidden="true"
    focusable="false"
  />
)
