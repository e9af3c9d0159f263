import { useMutation, useQuery } from '@tanstack/react-query'
import { callEndpoint, requestCsrfTokenCookie } from '#web/api.ts'
import { isErrorWithStatus, useErrorFormatter } from '#web/errors.ts'
import { focusFirstMatchOnceRendered } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { useOverridePageTitle } from '#web/title.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { joinRequestEndpoints } from '../join-request-contract.ts'
import { CommunityPicture } from './CommunityPicture.tsx'
import { joinRequestText } from './join-request-text.ts'

/**
 * The action and the token of a link to a request to join. With `verify`, the token is that of the mail; with
 * `request`, that of the browser or of the mail.
 */
export interface JoinRequestActionAndToken {
  action: 'verify' | 'request'
  token: string
}

/**
 * Reads the action and the token of a request to join from the fragment of the URL, which browsers do not
 * send to servers: `#verify=TOKEN` or `#request=TOKEN`. Returns null for another fragment.
 */
export function readJoinRequestActionAndTokenFromUrl(): JoinRequestActionAndToken | null {
  const [action, token] = location.hash.slice(1).split('=')
  return token && (action === 'verify' || action === 'request') ? { action, token } : null
}

/** The time in ms after which the page fetches the state of the request again. */
const REFRESH_INTERVAL = 60_000

async function readState(token: string) {
  await requestCsrfTokenCookie()
  return callEndpoint(joinRequestEndpoints.state, { token })
}

interface StatusProps {
  link: JoinRequestActionAndToken
  /**
   * Called with the link to the request after the address is verified, and with null if the person wants to
   * send a new request.
   */
  onLink: (link: JoinRequestActionAndToken | null) => void
}

/**
 * Renders the page of a person who has asked to join. The page verifies the e-mail address, or shows the
 * state of the request and what happens next.
 */
export function JoinRequestStatusPage({ link, onLink }: StatusProps) {
  const t = useText(joinRequestText)
  useOverridePageTitle(t.title)
  return (
    <PageLayout kind="narrow">
      <PageHeader title={t.title}>
        <CommunityPicture />
      </PageHeader>
      {link.action === 'verify' ? (
        <Verification token={link.token} onLink={onLink} />
      ) : (
        <State token={link.token} onLink={onLink} />
      )}
    </PageLayout>
  )
}

interface TokenProps extends Pick<StatusProps, 'onLink'> {
  token: string
}

/**
 * Renders the button that verifies the e-mail address. A button is needed, because a program that opens the
 * links of mails must not verify the address.
 */
function Verification({ token, onLink }: TokenProps) {
  const t = useText(joinRequestText)
  const explain = useErrorFormatter()
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      await requestCsrfTokenCookie()
      return callEndpoint(joinRequestEndpoints.verify, { token })
    },
    onSuccess: () => {
      onLink({ action: 'request', token })
      focusFirstMatchOnceRendered('.form-card a')
    },
  })
  return (
    <div className="card alone form-card">
      <p>{t.verifyHelp}</p>
      {isErrorWithStatus(error, 403) ? (
        <StartAgain onLink={onLink} />
      ) : (
        <Button kind="primary" fullWidth pending={isPending} onClick={() => mutate()}>
          {t.verify}
        </Button>
      )}
      {error && <Notice kind="error">{explain(error)}</Notice>}
    </div>
  )
}

const StartAgain = ({ onLink }: Pick<StatusProps, 'onLink'>) => (
  <Button fullWidth onClick={() => onLink(null)}>
    {useText(joinRequestText).again}
  </Button>
)

function State({ token, onLink }: TokenProps) {
  const t = useText(joinRequestText)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [joinRequestEndpoints.state.path, token],
    queryFn: () => readState(token),
    refetchInterval: REFRESH_INTERVAL,
  })
  if (!data)
    return error ? (
      <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
    ) : (
      <LoadingText />
    )
  const { state } = data
  return (
    <div className="card alone form-card">
      {state === 'approved' ? <Notice kind="success">{t.approved}</Notice> : <p role="status">{t[state]}</p>}
      <p className="text-soft">{t[`${state}Help`]}</p>
      {(state === 'refused' || state === 'ended') && <StartAgain onLink={onLink} />}
      {state !== 'unverified' && state !== 'refused' && (
        <ButtonLink kind={state === 'approved' ? 'primary' : 'secondary'} fullWidth href="/login">
          {t.logIn}
        </ButtonLink>
      )}
    </div>
  )
}
