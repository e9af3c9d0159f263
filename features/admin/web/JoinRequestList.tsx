import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useIdentityConfirmation } from '#features/account/web/useIdentityConfirmation.tsx'
import { AdminDataLoadError } from '#features/people/web/RequireAdmin.tsx'
import {
  type JoinRequestWaitingForAdmin,
  joinDecisionEndpoints,
} from '#features/registration/join-request-contract.ts'
import { joinRequestText } from '#features/registration/web/join-request-text.ts'
import { callEndpoint, fetchListPage } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { ActionCancelledError } from '#web/ui/ConfirmDialog.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { SentenceWithName, UserText } from '#web/ui/UserText.tsx'
import { adminStatisticsQueryKey } from '#web/web-modules.ts'
import { joinRequestListText } from './join-request-text.ts'
import { RefuseJoinRequestDialog } from './RefuseJoinRequestDialog.tsx'
import { ShowAddressesButton } from './ShowAddressesButton.tsx'

/** The time in ms after which the page fetches the list of requests to join again. */
const REFRESH_INTERVAL = 60_000

/** Lists the people who have asked to join, the newest first, with the buttons that answer them. */
export function JoinRequestList() {
  const t = useText(joinRequestListText)
  const client = useQueryClient()
  const [refused, setRefused] = useState<JoinRequestWaitingForAdmin | null>(null)
  const { data, error, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery({
      queryKey: [joinDecisionEndpoints.list.path],
      queryFn: ({ pageParam }) => fetchListPage(joinDecisionEndpoints.list, {}, pageParam),
      initialPageParam: null as string | null,
      getNextPageParam: (last) => last.next,
      refetchInterval: REFRESH_INTERVAL,
    })
  const reload = () => {
    for (const queryKey of [[joinDecisionEndpoints.list.path], adminStatisticsQueryKey])
      void client.invalidateQueries({ queryKey })
  }
  const rows = data?.pages.flatMap((page) => page.rows)
  const showAddresses = async () => {
    const loaded = await refetch({ throwOnError: true })
    return loaded.data?.pages.some((page) => page.rows.some(({ email }) => email === null)) ?? false
  }
  return (
    <section className="card">
      <h2>{t.requests}</h2>
      {!rows && !error && <LoadingText />}
      {!rows && error && <AdminDataLoadError error={error} pending={isFetching} onRetry={() => refetch()} />}
      {rows && <p className="text-soft">{rows.length ? t.help : t.none}</p>}
      {rows?.some(({ email }) => email === null) && (
        <p>
          <ShowAddressesButton reload={showAddresses} />
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
      {refused && (
        <RefuseJoinRequestDialog request={refused} onDecided={reload} onClose={() => setRefused(null)} />
      )}
    </section>
  )
}

interface RowProps {
  request: JoinRequestWaitingForAdmin
  onRefuse: () => void
  /** The row calls this function after this admin or another one has decided about the request to join. */
  onDecided: () => void
}

function JoinRequestRow({ request, onRefuse, onDecided }: RowProps) {
  const t = useText(joinRequestListText)
  const { standardQuestion } = useText(joinRequestText)
  const formatError = useErrorFormatter()
  const { run, dialog } = useIdentityConfirmation()
  const { id, name, email, is_verified, is_proven, question, answer, entered_at } = request
  const verified = is_proven ? 'verified' : is_verified ? 'verifiedElsewhere' : 'notVerified'
  const { mutate, isPending } = useMutation({
    mutationFn: () => run(() => callEndpoint(joinDecisionEndpoints.approve, { id })),
    onSuccess: () => showToast(<SentenceWithName words={t.approved} name={name} />),
    onError: (error) =>
      error instanceof ActionCancelledError || showToast(formatError(error), { kind: 'error' }),
    onSettled: onDecided,
  })
  return (
    <li>
      <div className="text">
        <b>
          <UserText>{name}</UserText>
        </b>
        <span className="text-meta">
          {email !== null && (
            <>
              <bdi>{email}</bdi> ·{' '}
            </>
          )}
          {t[verified]} · <RelativeTime at={entered_at} />
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
