import './people.css'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, LoaderCircle } from 'lucide-react'
import { api } from '#web/api.ts'
import { isHttpError, pleaseLogIn, useExplain } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { announceOwnChange } from '#web/me.ts'
import { initialAnswer } from '#web/page-data.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { closeToast, toast } from '#web/ui/Toasts.tsx'
import { type Person, people } from '../contract.ts'
import { peopleText } from './text.ts'

const key = [people.followings.path]

/** The ids of the people that the reader follows. */
export const useFollowings = (enabled = true) =>
  useQuery({
    queryKey: key,
    queryFn: () => api(people.followings, {}),
    initialData: () => initialAnswer(people.followings)?.body as number[] | undefined,
    enabled,
  })

/** The same without a request: undefined where they are not loaded. */
export const knownFollowings = (client: QueryClient) => client.getQueryData<number[]>(key)

interface FollowButtonProps {
  person: Person
  following: boolean
  onDone?: () => unknown
}

export function FollowButton({ person: { id, name }, following, onDone }: FollowButtonProps) {
  const t = useText(peopleText)
  const client = useQueryClient()
  const explain = useExplain()
  const failure = `follow ${id}`
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      await (following ? api(people.unfollow, { id }) : api(people.follow, { id }))
      // A fetch that began before the change would bring the old list back.
      await client.cancelQueries({ queryKey: key })
    },
    onSuccess: () => {
      closeToast(failure)
      onDone?.()
      client.setQueryData<number[]>(key, (ids = []) =>
        following ? ids.filter((one) => one !== id) : [...new Set([...ids, id])],
      )
      announceOwnChange('followings')
      // Queries that depend on the followings have “/following” in their key.
      client.removeQueries({
        type: 'inactive',
        predicate: ({ queryKey }) => queryKey.some((part) => /\/following/.test(String(part))),
      })
    },
    onError: (error) => {
      if (isHttpError(error, 401)) pleaseLogIn()
      else
        toast(explain(error), { key: failure, kind: 'bad', action: { label: t.retry, run: () => mutate() } })
    },
  })
  return (
    <button
      type="button"
      className="follow"
      data-state={following ? 'following' : 'none'}
      data-pending={isPending ? '' : undefined}
      aria-busy={isPending || undefined}
      aria-disabled={isPending || undefined}
      aria-label={following ? t.unfollowWhom(name) : t.followWhom(name)}
      onClick={() => isPending || mutate()}
    >
      {following && !isPending ? (
        <>
          <span className="now">
            <Icon of={Check} size="s" />
            {t.following}
          </span>
          <span className="then">{t.unfollow}</span>
        </>
      ) : (
        <span>
          {isPending && <Icon of={LoaderCircle} size="s" className="spin" />}
          {following ? t.unfollow : t.follow}
        </span>
      )}
    </button>
  )
}
