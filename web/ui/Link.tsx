import type { ComponentPropsWithRef, MouseEvent } from 'react'
import { navigate } from 'wouter/use-browser-location'

/** `state` becomes `history.state` of the page. */
type LinkProps = ComponentPropsWithRef<'a'> & { href: string; state?: unknown }

/** Links of wouter subscribe to the address, so that every navigation rendered all of them again. */
export function Link({ href, state, onClick, ...props }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    // The browser opens a tab or window, or downloads. `onClick` is not called then.
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.button) return
    onClick?.(event)
    if (event.defaultPrevented) return
    event.preventDefault()
    navigate(href, { state })
  }
  return <a {...props} href={href} onClick={follow} />
}
