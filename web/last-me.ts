import { useState } from 'react'
import type { Me } from '#features/people/contract.ts'
import { useMe } from '#web/me.ts'

/**
 * Returns the current user, or null for a visitor. If the session ends while the page is open, for example
 * after a new password on another device, returns the last known user, so that the forms keep their text.
 */
export function useCurrentOrLastMe(): Me | null {
  const me = useMe()
  const [last, setLast] = useState(me)
  if (me && me !== last) setLast(me)
  return me ?? last
}
