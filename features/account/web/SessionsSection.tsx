import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { callEndpoint } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { ActionCancelledError } from '#web/ui/ConfirmDialog.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { accountEndpoints, type ListedSession } from '../contract.ts'
import { AccountPageSectionCard } from './AccountPageSectionCard.tsx'
import { AccountSectionLoadError } from './AccountSectionLoadError.tsx'
import { LogInOtherDeviceButton } from './LogInOtherDeviceButton.tsx'
import { createAccountSectionQueryOptions } from './section-query.ts'
import { accountPageText } from './text.ts'
import { useIdentityConfirmation } from './useIdentityConfirmation.tsx'

/**
 * Renders the section of the account page that lists the browsers that are logged in, with buttons that log
 * them out. Below the list, a button logs another device in.
 */
export function SessionsSection() {
  const t = useText(accountPageText)
  const formatError = useErrorFormatter()
  const client = useQueryClient()
  const { run, dialog } = useIdentityConfirmation()
  const { data, error, isFetching, refetch } = useQuery(
    createAccountSectionQueryOptions(accountEndpoints.sessions),
  )
  /** Ends the given session of the member. With null, ends all sessions except the current one. */
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
      if (!(failure instanceof ActionCancelledError)) showToast(formatError(failure), { kind: 'error' })
    },
  })
  const hasOthers = data?.some(({ is_current }) => !is_current)
  return (
    <AccountPageSectionCard title={t.sessionsTitle} help={t.sessionsHelp}>
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
      {!data && error && (
        <AccountSectionLoadError error={error} pending={isFetching} onRetry={() => refetch()} />
      )}
      {hasOthers && (
        <div className="form-actions">
          <Button kind="danger" pending={isPending && variables === null} onClick={() => mutate(null)}>
            {t.endOthers}
          </Button>
        </div>
      )}
      <LogInOtherDeviceButton />
      {dialog}
    </AccountPageSectionCard>
  )
}

interface RowProps {
  session: ListedSession
  isEnding: boolean
  onEnd: () => void
}

function SessionRow({ session, isEnding, onEnd }: RowProps) {
  const t = useText(accountPageText)
  const device = session.device ?? t.unknownDevice
  return (
    <li className="account-row">
      <span className="text">
        <b>{device}</b>
        {session.is_current && <span className="badge">{t.thisDevice}</span>}
        <span className="text-meta">
          {t.lastUsed} <RelativeTime at={session.last_used_at} />
          {session.network && ` · ${session.network}`}
        </span>
        <span className="text-meta">
          {t.loggedIn} <RelativeTime at={session.created_at} />
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
