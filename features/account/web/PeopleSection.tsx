import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { BlockedPerson, MutedPerson, Person } from '#features/people/contract.ts'
import { SharedHandle } from '#features/people/web/SharedHandle.tsx'
import type { ListPage } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { SectionCard } from './SectionCard.tsx'
import { SectionError } from './SectionError.tsx'

interface PeopleListSectionProps {
  /** Also the fragment of links to it: `/account#blocked` scrolls to the section. */
  id: string
  queryKey: readonly string[]
  fetchPage: (from: string | null) => Promise<ListPage<(BlockedPerson | MutedPerson)[]>>
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
  onRemove: (input: { id: number }) => Promise<unknown>
}

export function PeopleSection(props: PeopleListSectionProps) {
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
    <SectionCard id={id} title={t.title} help={t.help}>
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
      {!people && error && <SectionError error={error} pending={isFetching} onRetry={() => refetch()} />}
      {hasNextPage && (
        <div className="form-actions">
          <Button pending={isFetchingNextPage} onClick={() => fetchNextPage()}>
            {t.loadMore}
          </Button>
        </div>
      )}
    </SectionCard>
  )
}

interface PersonRowProps extends Pick<PeopleListSectionProps, 'queryKey' | 'texts' | 'onRemove'> {
  person: Person
  at: string
}

function PersonRow({ person, at, queryKey, texts: t, onRemove }: PersonRowProps) {
  const client = useQueryClient()
  const formatError = useErrorText()
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
        <SharedHandle person={person} />
        <span className="text-meta">
          {t.since}
          <RelativeTime at={at} />
        </span>
      </span>
      <Button small pending={isPending} label={t.removePerson(person.name)} onClick={() => mutate()}>
        {t.remove}
      </Button>
    </li>
  )
}
