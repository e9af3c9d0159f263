import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { BlockedPerson } from '#features/people/block-contract.ts'
import type { Person } from '#features/people/contract.ts'
import type { MutedPerson } from '#features/people/mute-contract.ts'
import { HandleShownForLookalikeName } from '#features/people/web/HandleShownForLookalikeName.tsx'
import type { FetchedListPage } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { AccountPageSectionCard } from './AccountPageSectionCard.tsx'
import { AccountSectionLoadError } from './AccountSectionLoadError.tsx'

interface PeopleListSectionProps {
  /**
   * The HTML id of the section, and the fragment of links to it: `/account#blocked` scrolls to the section.
   */
  id: string
  /** The key in the query cache under which the list of people is stored. */
  queryKey: readonly string[]
  fetchPage: (from: string | null) => Promise<FetchedListPage<(BlockedPerson | MutedPerson)[]>>
  texts: {
    title: string
    help: string
    nobody: string
    since: string
    remove: string
    removePerson: (name: string) => string
    removed: (name: string) => string
    loadMore: string
  }
  /** Sends the request that unblocks or unmutes a person. */
  onRemove: (input: { id: number }) => Promise<unknown>
}

/**
 * Renders a section of the account page that lists either the people whom the member has blocked
 * or those whom the member has muted, each with a button that unblocks or unmutes the person.
 */
export function BlockedOrMutedPeopleSection(props: PeopleListSectionProps) {
  const { id, queryKey, fetchPage, texts: t, onRemove } = props
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => fetchPage(pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
  })
  const { data, error, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const people = data?.pages.flatMap(({ rows }) => rows)
  const isLoaded = data !== undefined
  useEffect(() => {
    if (isLoaded && location.hash === `#${id}`)
      document.getElementById(id)?.scrollIntoView({ block: 'center' })
  }, [isLoaded, id])
  return (
    <AccountPageSectionCard id={id} title={t.title} help={t.help}>
      {people && people.length > 0 && (
        <ul className="account-rows">
          {people.map((person) => (
            <PersonRow
              key={person.id}
              person={person}
              at={'blocked_at' in person ? person.blocked_at : person.muted_at}
              queryKey={queryKey}
              texts={t}
              onRemove={onRemove}
            />
          ))}
        </ul>
      )}
      {people?.length === 0 && <p className="account-value text-soft">{t.nobody}</p>}
      {!people && !error && <LoadingText />}
      {!people && error && (
        <AccountSectionLoadError error={error} pending={isFetching} onRetry={() => refetch()} />
      )}
      {hasNextPage && (
        <div className="form-actions">
          <Button pending={isFetchingNextPage} onClick={() => fetchNextPage()}>
            {t.loadMore}
          </Button>
        </div>
      )}
    </AccountPageSectionCard>
  )
}

interface PersonRowProps extends Pick<PeopleListSectionProps, 'queryKey' | 'texts' | 'onRemove'> {
  person: Person
  /** The time at which the member blocked or muted the person. */
  at: string
}

function PersonRow({ person, at, queryKey, texts: t, onRemove }: PersonRowProps) {
  const client = useQueryClient()
  const formatError = useErrorFormatter()
  const { mutate, isPending } = useMutation({
    mutationFn: () => onRemove({ id: person.id }),
    onSuccess: () => {
      showToast(t.removed(person.name), { key: queryKey.join() })
      return client.invalidateQueries({ queryKey })
    },
    onError: (failure) => showToast(formatError(failure), { kind: 'error' }),
  })
  return (
    <li className="account-row">
      <Avatar person={person} size="s" />
      <span className="text">
        <UserText className="name">{person.name}</UserText>
        <HandleShownForLookalikeName person={person} />
        <span className="text-meta">
          {t.since} <RelativeTime at={at} />
        </span>
      </span>
      <Button small pending={isPending} label={t.removePerson(person.name)} onClick={() => mutate()}>
        {t.remove}
      </Button>
    </li>
  )
}
