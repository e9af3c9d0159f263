import type { PrivateChat } from '#features/conversations/contract.ts'
import { FollowButton } from '#features/people/web/FollowButton.tsx'
import { useFollowedIds } from '#features/people/web/followed-ids.ts'

export default function FollowInHeader({ chat: { user, waits } }: { chat: PrivateChat }) {
  const { data } = useFollowedIds(true)
  const person = { ...user, ...(waits && { waits }) }
  return data && <FollowButton person={person} isFollowing={data.includes(user.id)} />
}
