import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { peopleEndpoints } from '#features/people/contract.ts'
import { FollowButton } from '#features/people/web/FollowButton.tsx'
import { useFollowedIdsQuery } from '#features/people/web/followed-ids.ts'
import { fetchListPage } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { getLastConversationListPath } from './ConversationList.tsx'
import { chatText } from './text.ts'

interface NoPrivateChatAccessProps {
  id: number
  isMissing: boolean
  onFollowed: () => void
}

/**
 * Renders a text in place of a private chat to which the user has no access, with a button to follow the
 * other person, which gives access.
 */
export default function NoPrivateChatAccess({ id, isMissing, onFollowed }: NoPrivateChatAccessProps) {
  const t = useText(chatText)
  const me = useMe()
  const followings = useFollowedIdsQuery(!isMissing)
  const { data } = useQuery({
    queryKey: [peopleEndpoints.users.path, 'by id', id],
    // Requests one row of the list of people, beginning at this id, because the feature `people` has no
    // endpoint for one person. If the person exists, the row is this person's.
    queryFn: async () =>
      (await fetchListPage(peopleEndpoints.users, { limit: 1, ...(id > 1 && { after: id - 1 }) })).rows.find(
        (one) => one.id === id,
      ) ?? null,
    enabled: !isMissing,
  })
  const isFollowed = followings.data?.includes(id) ?? false
  const handleFollowed = useEffectEvent(onFollowed)
  useEffect(() => {
    if (isFollowed) handleFollowed()
  }, [isFollowed])
  return (
    <section className="conversation" aria-label={t.closedTitle}>
      <EmptyState
        withoutBackground
        as="h1"
        title={isMissing ? t.noSuchUser : t.closedTitle}
        help={isMissing ? undefined : data && data.id !== me?.id ? t.notFollowing(data.name) : t.closedHelp}
      >
        {data && data.id !== me?.id && followings.data && (
          <FollowButton person={data} isFollowing={isFollowed} />
        )}
        <ButtonLink href={getLastConversationListPath()}>{t.toChats}</ButtonLink>
      </EmptyState>
    </section>
  )
}
