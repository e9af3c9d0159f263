import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { getListPath } from '#features/conversations/web/List.tsx'
import { peopleEndpoints } from '#features/people/contract.ts'
import { FollowButton } from '#features/people/web/FollowButton.tsx'
import { useFollowedIds } from '#features/people/web/followed-ids.ts'
import { useFollow } from '#features/people/web/useFollow.ts'
import { fetchPage } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { LoadingConversation } from './LoadingConversation.tsx'
import { noAccessText } from './no-access-text.ts'
import { messageText } from './text.ts'

interface Props {
  id: number
  isMissing: boolean
  onFollowed: () => void
  /** The name of the person with whom the user has asked to begin a chat; null otherwise. */
  begun: string | null
}

/** To follow the other person gives access, and happens at once if the user has asked to begin the chat. */
export default function NoAccess({ id, isMissing, onFollowed, begun }: Props) {
  const t = useText(noAccessText)
  const { closedHelp } = useText(messageText)
  const me = useMe()
  const explain = useErrorText()
  const follow = useFollow({
    id,
    isFollowing: false,
    onDone: () => showToast(t.followed(begun!)),
  })
  const begin = useEffectEvent(() => follow.mutate())
  const begins = begun !== null && !isMissing
  useEffect(() => {
    if (begins) begin()
  }, [begins])
  const followings = useFollowedIds(!isMissing)
  const { data } = useQuery({
    queryKey: [peopleEndpoints.users.path, 'by id', id],
    // One row of the list of people, beginning at this id, because `people` has no endpoint for one person.
    // If the person exists, the row is this person's.
    queryFn: async () =>
      (await fetchPage(peopleEndpoints.users, { limit: 1, ...(id > 1 && { after: id - 1 }) })).rows.find(
        (one) => one.id === id,
      ) ?? null,
    enabled: !isMissing,
  })
  const isFollowed = followings.data?.includes(id) ?? false
  const handleFollowed = useEffectEvent(onFollowed)
  useEffect(() => {
    if (isFollowed) handleFollowed()
  }, [isFollowed])
  if (begins && !follow.error) return <LoadingConversation />
  return (
    <section className="conversation" aria-label={t.closedTitle}>
      <EmptyState
        withoutBackground
        as="h1"
        title={isMissing ? t.noSuchUser : t.closedTitle}
        help={
          isMissing
            ? undefined
            : follow.error
              ? explain(follow.error)
              : data && data.id !== me?.id
                ? t.notFollowing(data.name)
                : closedHelp
        }
      >
        {data && data.id !== me?.id && followings.data && (
          <FollowButton person={data} isFollowing={isFollowed} />
        )}
        <ButtonLink href={getListPath()}>{t.toChats}</ButtonLink>
      </EmptyState>
    </section>
  )
}
