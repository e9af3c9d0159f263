import type { ReactNode } from 'react'

interface HouseProps {
  /** `desk` is narrow and centred, `wide` has no reading measure, `inset` keeps its boards off a phone's edges. */
  kind?: 'desk' | 'wide' | 'inset' | 'wide inset'
  /** What stands beside the room on a wide window. */
  veranda?: ReactNode
  children: ReactNode
}

/** A page's own ground plan: the room, and what is beside it. */
export const LogoHouse = ({ kind, veranda, children }: HouseProps) => (
  <div className={kind ? `house ${kind}` : 'house'}>
    <div className="room">{children}</div>
    {veranda}
  </div>
)
