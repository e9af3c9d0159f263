import './open-groups.css'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { san } from '#core/text/honorific.ts'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import { useWaitingReload } from '#features/notifications/web/unread-count.ts'
import { profilePath } from '#features/people/contract.ts'
import { Reading } from '#features/people/web/Reading.tsx'
import { SharedHandle } from '#features/people/web/SharedHandle.tsx'
import { callEndpoint, fetchPage, type ListPage } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { Dot, detectLanguage, useLang, useText } from '#web/i18n.ts'
import { LoadErrorMessage, LogInPrompt } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { findAnswer } from '#web/page-data.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError, ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Link } from '#web/ui/Link.tsx'
import { RowSkeletons } from '#web/ui/LoadingText.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { DAYS_AFTER_REFUSAL, type GroupRequest, requestEndpoints } from '../contract.ts'
import { detailsKey } from './queries.ts'
import { requestText } from './text.ts'

const requestsKey = [requestEndpoints.list.path]

export default function RequestsPage() {
  const t = useText(requestText)
  return (
    <PageLayout>
      <PageHeader title={t.title} />
      {useMe() ? <Requests /> : <LogInPrompt />}
    </PageLayout>
  )
}

function useRequests() {
  const first = findAnswer(requestEndpoints.list)
  return useInfiniteQuery({
    queryKey: requestsKey,
    queryFn: ({ pageParam }) => fetchPage(requestEndpoints.list, {}, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: ListPage<GroupRequest[]>) => next,
    ...(first && {
      initialData: {
        pages: [{ rows: first.body as GroupRequest[], next: first.next }],
        pageParams: [null],
      },
    }),
  })
}

function Requests() {
  const t = useText(requestText)
  const { data, error, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = useRequests()
  useWaitingReload('group_request', requestsKey)
  const rows = data?.pages.flatMap((page) => page.rows)
  if (!rows && error) return <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
  if (!rows) return <RowSkeletons count={3} />
  if (!rows.length) return <EmptyState title={t.none} help={t.noneHelp} />
  return (
    <>
      <ul className="cards flush open-groups">
        {rows.map((request) => (
          <RequestRow key={request.id} request={request} />
        ))}
      </ul>
      {hasNextPage && (
        <p className="list-more">
          <Button pending={isFetchingNextPage} onClick={() => fetchNextPage()}>
            {t.more}
          </Button>
        </p>
      )}
    </>
  )
}

/** In a sentence of the language. */
const useNameOf = () => {
  const lang = useLang()
  return (name: string) => (lang === 'ja' ? san(name) : name)
}

function RequestRow({ request }: { request: GroupRequest }) {
  const t = useText(requestText)
  const nameOf = useNameOf()
  const explain = useErrorText()
  const client = useQueryClient()
  const { run, dialog } = useConfirmation()
  const [isDeclining, setIsDeclining] = useState(false)
  const { id, person, group, created_at, was_removed, needs_admin } = request
  const reload = () =>
    Promise.all([requestsKey, detailsKey].map((queryKey) => client.invalidateQueries({ queryKey })))
  const { mutate, isPending } = useMutation({
    mutationFn: () => run(() => callEndpoint(requestEndpoints.accept, { id })),
    onSuccess: ({ message }) => showToast(message),
    onError: (error) => error instanceof CancelledError || showToast(explain(error), { kind: 'error' }),
    onSettled: reload,
  })
  return (
    <li className="row group-request">
      <Avatar person={person} />
      <div className="text">
        <Link className="name" href={profilePath(person)} dir="auto" lang={detectLanguage(person.name)}>
          {person.name}
        </Link>
        <Reading person={person} aria-hidden />
        <SharedHandle person={person} />
        <span className="text-meta">
          <Link className="link" href={`/groups/${group.id}`}>
            <UserText>{group.name}</UserText>
          </Link>
          <Dot />
          <RelativeTime at={created_at} />
        </span>
        {was_removed && <span className="about">{t.wasRemoved}</span>}
        {needs_admin && <span className="about">{t.needsAdmin}</span>}
      </div>
      <div className="cluster">
        <Button
          small
          kind="primary"
          label={t.acceptWhom(nameOf(person.name), group.name)}
          pending={isPending}
          onClick={() => mutate()}
        >
          {t.accept}
        </Button>
        <Button
          small
          label={t.declineWhom(nameOf(person.name), group.name)}
          onClick={() => setIsDeclining(true)}
        >
          {t.decline}
        </Button>
      </div>
      {isDeclining && (
        <ConfirmDialog
          title={t.declineTitle(nameOf(person.name))}
          confirmLabel={t.decline}
          isDestructive
          onConfirm={() => run(() => callEndpoint(requestEndpoints.decline, { id }))}
          onDone={({ message }) => {
            showToast(message)
            void reload()
          }}
          onClose={() => setIsDeclining(false)}
        >
          {t.declineHelp(group.name, DAYS_AFTER_REFUSAL)}
        </ConfirmDialog>
      )}
      {dialog}
    </li>
  )
}
