import { useMe } from '#web/me.ts'
import { useAudienceGroups } from './audience-groups.ts'

/**
 * Whether the member may tell everybody of a post, or ask who has read it. `group` is that of the audience.
 * Asks the server only if `isNeeded`.
 */
export function useMayTell(group: number | null, isNeeded = true) {
  const me = useMe()
  const mayAlways = Boolean(me?.is_admin || me?.is_announcer)
  const { data: groups } = useAudienceGroups(isNeeded && me !== null && group !== null && !mayAlways)
  return (
    mayAlways || (group !== null && groups?.some(({ id, is_owner }) => id === group && is_owner) === true)
  )
}
