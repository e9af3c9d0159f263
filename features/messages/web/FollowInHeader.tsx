import type { Person } from '#features/people/contract.ts'
import { FollowButton } from '#features/people/web/FollowButton.tsx'
import { useFollowedIds } from '#features/people/web/followed-ids.ts'

export default function FollowInHeader({ person }: { person: Person & { waits?: true } }) {
  const { data } = useFollowedIds(true)
  return data && <FollowButton person={person} isFollowing={data.includes(person.id)} />
}
