import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import { useWaitingReload } from '#features/notifications/web/unread-count.ts'
import { Reading } from '#features/people/web/Reading.tsx'
import { AdminLoadError } from '#features/people/web/RequireAdmin.tsx'
import { decisionEndpoints, type WaitingRequest } from '#features/registration/contract.ts'
import { joinRequestText } from '#features/registration/web/text.ts'
import { callEndpoint, fetchPage } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { Dot, useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { SentenceWithName, UserText } from '#web/ui/UserText.tsx'
import { statisticsKey } from '#web/web-modules.ts'
import { AddressesButton } from './AddressesButton.tsx'
import { requestsText } from './join-request-text.ts'
import { RefuseDialog } from './RefuseDialog.tsx'

/** In ms. */
const REFRESH_INTERVAL = 60_000

export function JoinRequestList() {
  const t = useText(requestsText)
  const client = useQueryClient()
  const [refused, setRefused] = useState<WaitingRequest | null>(null)
  const { data, error, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery({
      queryKey: [decisionEndpoints.list.path],
      queryFn: ({ pageParam }) => fetchPage(decisionEndpoints.list, {}, pageParam),
      initialPageParam: null as string | null,
      getNextPageParam: (last) => last.next,
      refetchInterval: REFRESH_INTERVAL,
    })
  const reload = () => {
    for (const queryKey of [[decisionEndpoints.list.path], statisticsKey])
      void client.invalidateQueries({ queryKey })
  }
  useWaitingReload('join_request', [decisionEndpoints.list.path])
  const rows = data?.pages.flatMap((page) => page.rows)
  const showAddresses = async () => {
    const loaded = await refetch({ throwOnError: true })
    return loaded.data?.pages.some((page) => page.rows.some(({ email }) => email === null)) ?? false
  }
  return (
    <section className="card">
      <h2>{t.requests}</h2>
      {!rows && !error && <LoadingText />}
      {!rows && error && <AdminLoadError error={error} pending={isFetching} onRetry={() => refetch()} />}
      {rows && <p className="text-soft">{rows.length ? t.help : t.none}</p>}
      {rows?.some(({ email }) => email === null) && (
        <p>
          <AddressesButton reload={showAddresses} />
        </p>
      )}
      <ul className="invitation-list">
        {rows?.map((request) => (
          <JoinRequestRow
            key={request.id}
            request={request}
            onRefuse={() => setRefused(request)}
            onDecided={reload}
          />
        ))}
      </ul>
      {hasNextPage && (
        <Button pending={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {t.loadMore}
        </Button>
      )}
      {refused && <RefuseDialog request={refused} onDecided={reload} onClose={() => setRefused(null)} />}
    </section>
  )
}

interface RowProps {
  request: WaitingRequest
  onRefuse: () => void
  /** Called after this admin or another one has decided. */
  onDecided: () => void
}

function JoinRequestRow({ request, onRefuse, onDecided }: RowProps) {
  const t = useText(requestsText)
  const { standardQuestion } = useText(joinRequestText)
  const formatError = useErrorText()
  const { run, dialog } = useConfirmation()
  const { id, name, email, is_verified, is_proven, question, answer, entered_at } = request
  const verified = is_proven ? 'verified' : is_verified ? 'verifiedElsewhere' : 'notVerified'
  const { mutate, isPending } = useMutation({
    mutationFn: () => run(() => callEndpoint(decisionEndpoints.approve, { id })),
    onSuccess: () => showToast(<SentenceWithName words={t.approved} name={name} />),
    onError: (error) => error instanceof CancelledError || showToast(formatError(error), { kind: 'error' }),
    onSettled: onDecided,
  })
  return (
    <li>
      <div className="text">
        <b>
          <UserText>{name}</UserText>
        </b>{' '}
        <Reading person={{ name, reading: request.reading ?? '' }} />
        <span className="text-meta">
          {email !== null && (
            <>
              <bdi>{email}</bdi> ·{' '}
            </>
          )}
          {t[verified]}
          <Dot />
          <RelativeTime at={entered_at} />
        </span>
        <p className="text-soft">{question === null ? standardQuestion : <UserText>{question}</UserText>}</p>
        <p className="join-request-answer">
          <UserText>{answer}</UserText>
        </p>
      </div>
      <div className="cluster">
        <Button
          small
          kind="primary"
          label={t.approveLabel(name)}
          pending={isPending}
          onClick={() => mutate()}
        >
          {t.approve}
        </Button>
        <Button small label={t.refuseLabel(name)} onClick={onRefuse}>
          {t.refuse}
        </Button>
      </div>
      {dialog}
    </li>
  )
}
