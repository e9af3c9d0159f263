import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { callEndpoint } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { Dot, useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { accountEndpoints, type ListedSession } from '../contract.ts'
import { OtherDeviceButton } from './OtherDeviceButton.tsx'
import { SectionCard } from './SectionCard.tsx'
import { SectionError } from './SectionError.tsx'
import { sectionQuery } from './section-query.ts'
import { accountPageText } from './text.ts'
import { useConfirmation } from './useConfirmation.tsx'

export function SessionsSection() {
  const t = useText(accountPageText)
  const formatError = useErrorText()
  const client = useQueryClient()
  const { run, dialog } = useConfirmation()
  const { data, error, isFetching, refetch } = useQuery(sectionQuery(accountEndpoints.sessions))
  /** Null ends all but the current one. */
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (session: ListedSession | null) =>
      run<unknown>(() =>
        session
          ? callEndpoint(accountEndpoints.endSession, { id: session.id })
          : callEndpoint(accountEndpoints.endOtherSessions, {}),
      ),
    onSuccess: (_, session) => {
      void client.invalidateQueries({ queryKey: [accountEndpoints.sessions.path] })
      void client.invalidateQueries({ queryKey: [accountEndpoints.securityEvents.path] })
      showToast(session ? t.sessionEnded : t.othersEnded, { key: 'sessions' })
    },
    onError: (failure) => {
      if (!(failure instanceof CancelledError)) showToast(formatError(failure), { kind: 'error' })
    },
  })
  const hasOthers = data?.some(({ is_current }) => !is_current)
  return (
    <SectionCard id="devices" title={t.sessionsTitle} help={t.sessionsHelp}>
      {data && (
        <ul className="account-rows">
          {data.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              isEnding={isPending && variables?.id === session.id}
              onEnd={() => mutate(session)}
            />
          ))}
        </ul>
      )}
      {!data && !error && <LoadingText />}
      {!data && error && <SectionError error={error} pending={isFetching} onRetry={() => refetch()} />}
      {hasOthers && (
        <div className="form-actions">
          <Button kind="danger" pending={isPending && variables === null} onClick={() => mutate(null)}>
            {t.endOthers}
          </Button>
        </div>
      )}
      <OtherDeviceButton />
      {dialog}
    </SectionCard>
  )
}

interface Props {
  session: ListedSession
  isEnding: boolean
  onEnd: () => void
}

function SessionRow({ session, isEnding, onEnd }: Props) {
  const t = useText(accountPageText)
  const device = session.device ?? t.unknownDevice
  return (
    <li className="account-row">
      <span className="text">
        <b>{device}</b>
        {session.is_current && <span className="badge">{t.thisDevice}</span>}
        <span className="text-meta">
          {t.lastUsed}
          <RelativeTime at={session.last_used_at} />
          {session.network && (
            <>
              <Dot />
              {session.network}
            </>
          )}
        </span>
        <span className="text-meta">
          {t.loggedIn}
          <RelativeTime at={session.created_at} />
        </span>
      </span>
      {!session.is_current && (
        <Button small pending={isEnding} label={t.endSessionLabel(device)} onClick={onEnd}>
          {t.endSession}
        </Button>
      )}
    </li>
  )
}
