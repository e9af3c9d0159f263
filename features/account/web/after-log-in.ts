import { useEffect } from 'react'
import { useLocation } from 'wouter'
import type { Me } from '#features/people/contract.ts'
import { pageData } from '#web/page-data.ts'

/** In ms, in which the page shows “Log in successful.”. */
const REDIRECT_AFTER = 1000

/**
 * The path in `?next=` if it is on this site and no page for logging in or out or for a new password;
 * otherwise the home page.
 */
function pathAfterLogIn() {
  const next = new URLSearchParams(location.search).get('next') ?? '/'
  const url = URL.canParse(next, location.origin) ? new URL(next, location.origin) : null
  if (
    !next.startsWith('/') ||
    url?.origin !== location.origin ||
    /^\/(\/|(login|logout|device-log-in|two-factor-challenge|forgot-password|reset-password)\b)/.test(
      url.pathname,
    )
  )
    return '/'
  return url.pathname + url.search
}

/**
 * After one second. In a members-only community as a whole new page, because this one has no data for
 * members; also if `me` is null, because the account could not be read.
 */
export function useLogInRedirect(isLoggedIn: boolean, me: Me | null | undefined) {
  const [, go] = useLocation()
  useEffect(() => {
    if (!isLoggedIn) return
    const next = pathAfterLogIn()
    const loadsWhole = !me || pageData.app.membersOnly
    const timer = setTimeout(() => (loadsWhole ? location.assign(next) : go(next)), REDIRECT_AFTER)
    return () => clearTimeout(timer)
  }, [isLoggedIn, me, go])
}
