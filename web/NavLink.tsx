import type { MouseEvent, ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { scrollToTop } from '#web/scroll.ts'

interface WayProps {
  /** Addresses of one and the same page; the first is where it leads. */
  to: readonly string[]
  /** Beginnings of the addresses of pages that belong to it: it is current there, and leads to its own. */
  within?: RegExp
  label?: string
  className?: string
  children: ReactNode
}

/** A way of the navigation. A click on the current one goes to the top. */
export function NavLink({ to, within, label, className, children }: WayProps) {
  const [path] = useLocation()
  const isHere = to.includes(path)
  const click = (event: MouseEvent) => {
    if (!isHere) return
    event.preventDefault()
    scrollToTop()
  }
  return (
    <Link
      href={isHere ? path : to[0]!}
      className={className}
      aria-label={label}
      aria-current={isHere || within?.test(path) ? 'page' : undefined}
      onClick={click}
    >
      {children}
    </Link>
  )
}
