import type { LucideIcon } from 'lucide-react'

export type { LucideIcon }

/**
 * Renders an icon of 20 px (with the size `s` of 16, with `l` of 24). Screen readers skip the icon, because a
 * text is beside it or its button has a label.
 */
export const Icon = ({
  icon: Drawing,
  size,
  className = '',
}: {
  icon: LucideIcon
  size?: 's' | 'l' | undefined
  className?: string
}) => <Drawing className={`icon ${size ?? ''} ${className}`.trim()} aria-hidden="true" />
