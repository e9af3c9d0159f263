import { useMe } from '#web/me.ts'
import { useAudienceGroups } from './audience-groups.ts'

/** Whether the member may tell everybody of a post, or ask who has read it. `group` is that of the audience. */
export function useMayTell(group: number | null) {
  const me = useMe()
  const { data: groups } = useAudienceGroups(me !== null)
  if (me?.is_admin || me?.is_announcer) return true
  return group !== null && groups?.some(({ id, is_owner }) => id === group && is_owner) === true
}
