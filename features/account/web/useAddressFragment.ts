import { useEffect, useState } from 'react'

/**
 * Returns the fragment of the address, which browsers do not send to servers; empty if there is none. Stores
 * it, because pages remove a secret from the address once it is used. A second link in the same window
 * changes only the fragment.
 */
export function useAddressFragment() {
  const [fragment, setFragment] = useState(() => location.hash.slice(1))
  useEffect(() => {
    const read = () => setFragment(location.hash.slice(1))
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [])
  return fragment
}
