const KEY = 'return path'

/** Where the registration leads afterwards, in this window. Null forgets it. */
export function returnAfterJoining(path: string | null) {
  try {
    if (path === null) sessionStorage.removeItem(KEY)
    else sessionStorage.setItem(KEY, path)
  } catch {
    // Without storage, the registration leads to the posts.
  }
}

/** Null if there is none. Always on this site. */
export function getReturnPath() {
  try {
    const path = sessionStorage.getItem(KEY)
    return path && /^\/[^/\\]/.test(path) ? path : null
  } catch {
    return null
  }
}
