import { useMutation, useQuery } from '@tanstack/react-query'
import { callEndpoint, requestCsrf } from '#web/api.ts'
import { hasStatus, useErrorText } from '#web/errors.ts'
import { focusFirst } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { pageData } from '#web/page-data.ts'
import { usePageTitle } from '#web/title.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { joinEndpoints } from '../contract.ts'
import { CommunityPicture } from './CommunityPicture.tsx'
import { joinRequestText } from './text.ts'

/** With `verify`, the token is that of the mail; with `request`, that of the browser or of the mail. */
export interface JoinLink {
  action: 'verify' | 'request'
  token: string
}

/** `#verify=TOKEN` or `#request=TOKEN`, otherwise null. Browsers do not send the fragment to servers. */
export function readJoinLink(): JoinLink | null {
  const [action, token] = location.hash.slice(1).split('=')
  return token && (action === 'verify' || action === 'request') ? { action, token } : null
}

/** In ms. */
const REFRESH_INTERVAL = 60_000

async function readState(token: string) {
  await requestCsrf()
  return callEndpoint(joinEndpoints.state, { token })
}

interface StatusProps {
  link: JoinLink
  /** Called with the link after the address is verified, and with null for a new request. */
  onLink: (link: JoinLink | null) => void
}

export function JoinStatusPage({ link, onLink }: StatusProps) {
  const t = useText(joinRequestText)
  usePageTitle(t.title)
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

/** A button, because a program that opens the links of mails must not verify the address. */
function Verification({ token, onLink }: TokenProps) {
  const t = useText(joinRequestText)
  const explain = useErrorText()
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      await requestCsrf()
      return callEndpoint(joinEndpoints.verify, { token })
    },
    onSuccess: () => {
      onLink({ action: 'request', token })
      focusFirst('.form-card a')
    },
  })
  return (
    <div className="card alone form-card">
      <p>{t.verifyHelp}</p>
      {hasStatus(error, 403) ? (
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
    queryKey: [joinEndpoints.state.path, token],
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
      {state === 'waiting' && pageData.app.mail && <p className="text-soft">{t.waitingMail}</p>}
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
