import { useEffect, useState } from 'react'

/**
 * Returns the fragment of the URL without `#`, which browsers do not send to servers; an empty text if there
 * is none. Keeps the value after a page has removed a used secret from the URL with `history.replaceState`.
 * Listens for `hashchange`, because a second link that is opened in the same window changes only the
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
