import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import type { Person } from '#features/people/contract.ts'
import { PeoplePicker, type PickedPerson } from '#features/people/web/PeoplePicker.tsx'
import { ApiError, callEndpoint, fetchPage } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { moderationEndpoints } from '../contract.ts'
import { moderationText } from './text.ts'

const queryKey = [moderationEndpoints.moderators.path]

export function Moderators() {
  const t = useText(moderationText)
  const { data, error, isFetching, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => fetchPage(moderationEndpoints.moderators, {}, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
  const people = data?.pages.flatMap(({ rows }) => rows)
  return (
    <section className="card moderation-section">
      <h2 tabIndex={-1}>{t.moderators}</h2>
      <p className="text-soft">{t.moderatorsHelp}</p>
      {people?.length === 0 && <p className="text-meta">{t.nobody}</p>}
      {people?.map((person) => (
        <ModeratorRow key={person.id} person={person} />
      ))}
      {!people && !error && <LoadingText />}
      {!people && error && (
        <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} plain />
      )}
      {hasNextPage && <Button onClick={() => fetchNextPage()}>{t.showMore}</Button>}
      <AppointForm />
    </section>
  )
}

function ModeratorRow({ person: { id, name, ...person } }: { person: Person }) {
  const t = useText(moderationText)
  const client = useQueryClient()
  const explain = useErrorText()
  const { run, dialog } = useConfirmation()
  const { mutate, isPending } = useMutation({
    mutationFn: () => run(() => callEndpoint(moderationEndpoints.removeModerator, { id })),
    onSuccess: ({ message }) => {
      showToast(message)
      return client.invalidateQueries({ queryKey })
    },
    onError: (error) => !(error instanceof CancelledError) && showToast(explain(error), { kind: 'error' }),
  })
  return (
    <div className="moderation-person">
      <Avatar person={{ id, name, ...person }} size="s" />
      <UserText className="name">{name}</UserText>
      <Button small pending={isPending} label={t.removePerson(name)} onClick={() => mutate()}>
        {t.remove}
      </Button>
      {dialog}
    </div>
  )
}

function AppointForm() {
  const t = useText(moderationText)
  const client = useQueryClient()
  const explain = useErrorText()
  const { run, dialog } = useConfirmation()
  const [chosen, setChosen] = useState<readonly PickedPerson[]>([])
  const { mutate, error, isPending } = useMutation({
    mutationFn: (handle: string) => run(() => callEndpoint(moderationEndpoints.appoint, { handle })),
    onSuccess: ({ message }) => {
      setChosen([])
      showToast(message)
      return client.invalidateQueries({ queryKey })
    },
  })
  const handle = chosen[0]?.handle
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (handle && !isPending) mutate(handle)
  }
  const shown = handle && error && !(error instanceof CancelledError)
  return (
    <form className="moderation-decision" noValidate onSubmit={submit}>
      <PeoplePicker
        label={t.newModerator}
        error={shown ? (error instanceof ApiError && error.errors.handle?.[0]) || explain(error) : undefined}
        chosen={chosen}
        max={1}
        onChange={setChosen}
      />
      {handle && (
        <div className="form-actions">
          <Button type="submit" pending={isPending}>
            {t.appoint}
          </Button>
        </div>
      )}
      {dialog}
    </form>
  )
}
