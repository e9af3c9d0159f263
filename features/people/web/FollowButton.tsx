import './people.css'
import { Check, LoaderCircle } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { ApiError } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { closeToast, showToast } from '#web/ui/Toasts.tsx'
import type { Person } from '../contract.ts'
import { peopleText } from './text.ts'
import { useFollow } from './useFollow.ts'

const UnfollowDialog = lazyWithRetry(() => import('./UnfollowDialog.tsx'))

/** Elsewhere, the label says what a press does before it is pressed. */
const canHover = () => matchMedia('(hover: hover)').matches

interface Props {
  person: Person & { waits?: true }
  isFollowing: boolean
  onDone?: () => unknown
}

export function FollowButton({ person: { id, name, waits }, isFollowing, onDone }: Props) {
  const t = useText(peopleText)
  const explain = useErrorText()
  const failure = `follow ${id}`
  // After a click, until the pointer or the focus leaves and comes back, the label does not become
  // “Unfollow”.
  const [isClicked, setClicked] = useState(false)
  const leave = () => setClicked(false)
  const [isAsking, setIsAsking] = useState(false)
  useEffect(() => () => closeToast(failure), [failure])
  const { mutate, mutateAsync, isPending, error } = useFollow({
    id,
    isFollowing,
    onDone() {
      closeToast(failure)
      onDone?.()
    },
    onError(error) {
      if (hasStatus(error, 401)) showLogInToast()
      else if (error instanceof ApiError && error.waits) showToast(error.message, { key: failure })
      else
        showToast(t.followFailed(name, isFollowing) + explain(error), {
          key: failure,
          kind: 'error',
          action: { label: t.retry, run: () => mutate() },
        })
    },
  })
  // A guardian may decide at any time, and asking again does no harm.
  const isWaiting = waits || (error instanceof ApiError && error.waits)
  return (
    <>
      <button
        type="button"
        className="follow"
        data-state={!isFollowing ? 'none' : isClicked ? 'followed' : 'following'}
        data-pending={isPending ? '' : undefined}
        aria-busy={isPending || undefined}
        aria-disabled={isPending || undefined}
        aria-label={
          isFollowing ? t.unfollowPerson(name) : isWaiting ? t.waitingFor(name) : t.followPerson(name)
        }
        onClick={() => {
          if (isPending) return
          if (isFollowing && !canHover()) return setIsAsking(true)
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
            {isFollowing ? t.unfollow : isWaiting ? t.waiting : t.follow}
          </span>
        )}
      </button>
      {isAsking && (
        <Suspense>
          <UnfollowDialog name={name} onConfirm={mutateAsync} onClose={() => setIsAsking(false)} />
        </Suspense>
      )}
    </>
  )
}
