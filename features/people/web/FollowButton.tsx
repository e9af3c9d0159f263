import './people.css'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Check, LoaderCircle } from 'lucide-react'
import { useEffect, useState } from 'react'
import { callEndpoint } from '#web/api.ts'
import { isErrorWithStatus, showLogInPromptToast, useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { notifyOwnAccountProfileOrFollowsListeners } from '#web/me.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { closeToast, showToast } from '#web/ui/Toasts.tsx'
import { type Person, peopleEndpoints } from '../contract.ts'
import { followedIdsQueryKey } from './followed-ids.ts'
import { peopleText } from './text.ts'

interface FollowButtonProps {
  person: Person
  isFollowing: boolean
  onDone?: () => unknown
}

export function FollowButton({ person: { id, name }, isFollowing, onDone }: FollowButtonProps) {
  const t = useText(peopleText)
  const client = useQueryClient()
  const explain = useErrorFormatter()
  const failure = `follow ${id}`
  // Whether the member has clicked the button and the pointer or the focus has not left the button since.
  // Until it leaves and comes back, the label does not become “Unfollow”.
  const [isClicked, setClicked] = useState(false)
  const leave = () => setClicked(false)
  useEffect(() => () => closeToast(failure), [failure])
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      await (isFollowing
        ? callEndpoint(peopleEndpoints.unfollow, { id })
        : callEndpoint(peopleEndpoints.follow, { id }))
      // Cancels running requests for the list of followed people, because their responses would restore the
      // old list.
      await client.cancelQueries({ queryKey: followedIdsQueryKey })
    },
    onSuccess: () => {
      closeToast(failure)
      onDone?.()
      client.setQueryData<number[]>(followedIdsQueryKey, (ids = []) =>
        isFollowing ? ids.filter((one) => one !== id) : [...new Set([...ids, id])],
      )
      notifyOwnAccountProfileOrFollowsListeners('followings')
      // Drops the inactive queries with “/following” in their key, because their data depends on whom the
      // member follows.
      client.removeQueries({
        type: 'inactive',
        predicate: ({ queryKey }) => queryKey.some((part) => /\/following/.test(String(part))),
      })
    },
    onError: (error) => {
      if (isErrorWithStatus(error, 401)) showLogInPromptToast()
      else
        showToast(t.followFailed(name, isFollowing) + explain(error), {
          key: failure,
          kind: 'error',
          action: { label: t.retry, run: () => mutate() },
        })
    },
  })
  return (
    <button
      type="button"
      className="follow"
      data-state={!isFollowing ? 'none' : isClicked ? 'followed' : 'following'}
      data-pending={isPending ? '' : undefined}
      aria-busy={isPending || undefined}
      aria-disabled={isPending || undefined}
      aria-label={isFollowing ? t.unfollowPerson(name) : t.followPerson(name)}
      onClick={() => {
        if (isPending) return
        setClicked(true)
        mutate()
      }}
      onPointerLeave={leave}
      onBlur={leave}
    >
      {isFollowing && !isPending ? (
        <>
          <span className="label-following">
            <Icon icon={Check} size="s" />
            {t.following}
          </span>
          <span className="label-unfollow">{t.unfollow}</span>
        </>
      ) : (
        <span>
          {isPending && <Icon icon={LoaderCircle} size="s" className="spin" />}
          {isFollowing ? t.unfollow : t.follow}
        </span>
      )}
    </button>
  )
}
