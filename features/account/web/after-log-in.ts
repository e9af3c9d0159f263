import { useEffect } from 'react'
import { useLocation } from 'wouter'
import type { Me } from '#features/people/contract.ts'
import { initialPageData } from '#web/page-data.ts'

/** How long the message about the success is shown, in milliseconds. */
const REDIRECT_AFTER = 1000

/** The page to open after the log-in, from `?next=`: a page of this site, or the home page. */
function pathAfterLogIn() {
  const next = new URLSearchParams(location.search).get('next') ?? '/'
  const url = URL.canParse(next, location.origin) ? new URL(next, location.origin) : null
  if (
    !next.startsWith('/') ||
    url?.origin !== location.origin ||
    /^\/(\/|(login|logout|two-factor-challenge|forgot-password|reset-password)\b)/.test(url.pathname)
  )
    return '/'
  return url.pathname + url.search
}

/**
 * Opens the next page a second after a log-in has succeeded. `me` is null if the account could not be read.
 * Then the browser loads the page as a whole, and also in a members-only community, because the current page
 * has no data for members.
 */
export function useRedirectAfterLogIn(isLoggedIn: boolean, me: Me | null | undefined) {
  const [, go] = useLocation()
  useEffect(() => {
    if (!isLoggedIn) return
    const next = pathAfterLogIn()
    const loadsWhole = !me || initialPageData.app.membersOnly
    const timer = setTimeout(() => (loadsWhole ? location.assign(next) : go(next)), REDIRECT_AFTER)
    return () => clearTimeout(timer)
  }, [isLoggedIn, me, go])
}
