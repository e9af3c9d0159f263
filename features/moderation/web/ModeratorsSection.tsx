import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useIdentityConfirmation } from '#features/account/web/useIdentityConfirmation.tsx'
import type { Person } from '#features/people/contract.ts'
import { ApiError, callEndpoint, fetchListPage } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ActionCancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { moderationEndpoints } from '../contract.ts'
import { moderationPageText } from './desk-text.ts'

const queryKey = [moderationEndpoints.moderators.path]

/** Renders the section with the list of moderators, in which admins appoint and remove moderators. */
export function ModeratorsSection() {
  const t = useText(moderationPageText)
  const { data, error, isFetching, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => fetchListPage(moderationEndpoints.moderators, {}, pageParam),
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
  const t = useText(moderationPageText)
  const client = useQueryClient()
  const explain = useErrorFormatter()
  const { run, dialog } = useIdentityConfirmation()
  const { mutate, isPending } = useMutation({
    mutationFn: () => run(() => callEndpoint(moderationEndpoints.removeModerator, { id })),
    onSuccess: ({ message }) => {
      showToast(message)
      return client.invalidateQueries({ queryKey })
    },
    onError: (error) =>
      !(error instanceof ActionCancelledError) && showToast(explain(error), { kind: 'error' }),
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
  const t = useText(moderationPageText)
  const client = useQueryClient()
  const explain = useErrorFormatter()
  const { run, dialog } = useIdentityConfirmation()
  const [handle, setHandle] = useState('')
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => run(() => callEndpoint(moderationEndpoints.appoint, { handle })),
    onSuccess: ({ message }) => {
      setHandle('')
      showToast(message)
      return client.invalidateQueries({ queryKey })
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending) mutate()
  }
  const shown = error && !(error instanceof ActionCancelledError)
  return (
    <form className="moderation-decision" noValidate onSubmit={submit}>
      <Field
        label={t.handle}
        name="handle"
        dir="ltr"
        autoCapitalize="none"
        autoComplete="off"
        error={shown ? (error instanceof ApiError && error.errors.handle?.[0]) || explain(error) : undefined}
        value={handle}
        onChange={(event) => setHandle(event.target.value)}
      />
      <div className="form-actions">
        <Button type="submit" pending={isPending}>
          {t.appoint}
        </Button>
      </div>
      {dialog}
    </form>
  )
}
