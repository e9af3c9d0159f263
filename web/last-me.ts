import { useState } from 'react'
import type { Me } from '#features/people/contract.ts'
import { useMe } from '#web/me.ts'

/**
 * Returns the current user. Returns the last known one if the session ends while the page is open, for
 * example after a new password on another device, so that the forms keep their text. Returns null for a
 * visitor.
 */
export function useCurrentOrLastMe(): Me | null {
  const me = useMe()
  const [last, setLast] = useState(me)
  if (me && me !== last) setLast(me)
  return me ?? last
}
