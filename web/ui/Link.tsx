import type { ComponentPropsWithRef, MouseEvent } from 'react'
import { navigate } from 'wouter/use-browser-location'

type LinkProps = ComponentPropsWithRef<'a'> & { href: string }

/**
 * Renders a link that opens a page of the app without loading a document. The Link of wouter does the same,
 * but each one listens to the address: every navigation rendered all links again, and a list of 520 posts took
 * 100 ms longer to remove.
 */
export function Link({ href, onClick, ...props }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    // Leaves it to the browser to open the link in a new tab or window.
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.button) return
    onClick?.(event)
    if (event.defaultPrevented) return
    event.preventDefault()
    navigate(href)
  }
  return <a {...props} href={href} onClick={follow} />
}
