import { useEffect, useState } from 'react'

/**
 * Without `#`; empty if there is none. Keeps the value after a page has removed a used secret with
 * `history.replaceState`. Listens for `hashchange`: a second link in the same window changes only the
 * fragment.
 */
export function useUrlFragment() {
  const [fragment, setFragment] = useState(() => location.hash.slice(1))
  useEffect(() => {
    const read = () => setFragment(location.hash.slice(1))
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [])
  return fragment
}
