import { useState } from 'react'
import type { Me } from '#features/people/contract.ts'
import { useMe } from '#web/me.ts'

/** Still the last user after the session has ended, so that forms keep their text. */
export function useLastMe(): Me | null {
  const me = useMe()
  const [last, setLast] = useState(me)
  if (me && me !== last) setLast(me)
  return me ?? last
}
