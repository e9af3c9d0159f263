import type { MouseEvent, ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { scrollToTop } from '#web/scroll.ts'

interface NavLinkProps {
  /** Paths of one and the same page; the link leads to the first. */
  to: readonly string[]
  /** Matches the paths of further pages on which the link is current. */
  within?: RegExp
  label?: string
  className?: string
  children: ReactNode
}

/** A link of the navigation. A click on the link of this page scrolls to the top. */
export function NavLink({ to, within, label, className, children }: NavLinkProps) {
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
