import type { LucideIcon } from 'lucide-react'

export type { LucideIcon }

/** 20 px; `s` is 16, `l` is 24. Never says anything by itself: words stand beside it or on its button. */
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
