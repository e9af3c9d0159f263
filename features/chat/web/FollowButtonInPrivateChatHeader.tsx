import type { Person } from '#features/people/contract.ts'
import { FollowButton } from '#features/people/web/FollowButton.tsx'
import { useFollowedIdsQuery } from '#features/people/web/followed-ids.ts'

/** Renders the button in the header of a private chat with which the user follows the other person. */
export default function FollowButtonInPrivateChatHeader({ person }: { person: Person }) {
  const { data } = useFollowedIdsQuery(true)
  return data && <FollowButton person={person} isFollowing={data.includes(person.id)} />
}
