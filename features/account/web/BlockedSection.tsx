import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type BlockedPerson, blockEndpoints } from '#features/people/block-contract.ts'
import { PersonHandle } from '#features/people/web/PersonHandle.tsx'
import { callEndpoint, fetchListPage } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { LoadError } from '#web/LoadError.tsx'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Loading } from '#web/ui/Loading.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { AccountSection } from './AccountSection.tsx'
import { blockedText } from './blocked-text.ts'

const key = [blockEndpoints.list.path]

/** Lists the people whom the member has blocked, and ends blocks. `/account#blocked` scrolls to it. */
export function BlockedSection() {
  const t = useText(blockedText)
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => fetchListPage(blockEndpoints.list, {}, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
  })
  const { data, error, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const people = data?.pages.flatMap(({ rows }) => rows)
  const isLoaded = data !== undefined
  useEffect(() => {
    if (isLoaded && location.hash === '#blocked')
      document.getElementById('blocked')?.scrollIntoView({ block: 'center' })
  }, [isLoaded])
  return (
    <AccountSection id="blocked" title={t.title} help={t.help}>
      {people && people.length > 0 && (
        <ul className="account-rows">
          {people.map((person) => (
            <BlockedRow key={person.id} person={person} />
          ))}
        </ul>
      )}
      {people?.length === 0 && <p className="text-meta">{t.nobody}</p>}
      {!people && !error && <Loading />}
      {!people && error && <LoadError error={error} pending={isFetching} onRetry={() => refetch()} plain />}
      {hasNextPage && (
        <div className="form-actions">
          <Button pending={isFetchingNextPage} onClick={() => fetchNextPage()}>
            {t.loadMore}
          </Button>
        </div>
      )}
    </AccountSection>
  )
}

function BlockedRow({ person }: { person: BlockedPerson }) {
  const t = useText(blockedText)
  const client = useQueryClient()
  const formatError = useErrorFormatter()
  const { mutate, isPending } = useMutation({
    mutationFn: () => callEndpoint(blockEndpoints.unblock, { id: person.id }),
    onSuccess: () => {
      showToast(t.unblocked(person.name), { key: 'blocks' })
      return client.invalidateQueries({ queryKey: key })
    },
    onError: (failure) => showToast(formatError(failure), { kind: 'error' }),
  })
  return (
    <li className="account-row">
      <Avatar person={person} size="s" />
      <span className="text">
        <UserText className="name">{person.name}</UserText>
        <PersonHandle person={person} />
        <span className="text-meta">
          {t.since} <RelativeTime at={person.blocked_at} />
        </span>
      </span>
      <Button small pending={isPending} label={t.unblockPerson(person.name)} onClick={() => mutate()}>
        {t.unblock}
      </Button>
    </li>
  )
}
