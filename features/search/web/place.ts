import { useQuery } from '@tanstack/react-query'
import { messageEndpoints } from '#features/messages/contract.ts'
import { postEndpoints } from '#features/posts/contract.ts'
import { callEndpoint } from '#web/api.ts'

export interface Place {
  kind: 'group' | 'person'
  id: number
  /** Absent while it loads, and for a place that the member may not see. */
  name: string | undefined
  href: string
}

/** Of `group:5`; null for everywhere. */
export function usePlace(place: string): Place | null {
  const [kind, number] = place.split(':')
  const isGroup = kind === 'group'
  const id = Number(number)
  const { data: name } = useQuery({
    queryKey: [(isGroup ? messageEndpoints.groupChat : postEndpoints.author).path, 'name', id],
    queryFn: async () =>
      (isGroup
        ? await callEndpoint(messageEndpoints.groupChat, { id })
        : await callEndpoint(postEndpoints.author, { id })
      ).name,
    enabled: place !== '',
  })
  if (!place) return null
  return {
    kind: isGroup ? 'group' : 'person',
    id,
    name,
    href: isGroup ? `/group-chat/${id}` : `/people/${id}`,
  }
}
