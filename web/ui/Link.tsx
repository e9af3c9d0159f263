import type { ComponentPropsWithRef, MouseEvent } from 'react'
import { navigate } from 'wouter/use-browser-location'

type LinkProps = ComponentPropsWithRef<'a'> & { href: string }

/**
 * Renders a link that opens a page of the app without loading a document. The Link of wouter does the same,
 * but each one listens to the address: every navigation rendered all links again, and to remove a list with
 * thousands of links took 150 ms.
 */
export function Link({ href, onClick, ...props }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    // Leaves it to the browser to open the link in a new tab or window.
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.button !== 0) return
    onClick?.(event)
    if (event.defaultPrevented) return
    event.preventDefault()
    navigate(href)
  }
  return <a {...props} href={href} onClick={follow} />
}
