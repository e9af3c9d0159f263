import '#features/people/web/account-pages.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { signUpLogInAndProfileText } from '#features/people/web/account-text.ts'
import { callEndpoint } from '#web/api.ts'
import { focusFirstMatchOnceRendered } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { findInitialEndpointResponse } from '#web/page-data.ts'
import { useOverridePageTitle } from '#web/title.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { type PublicJoinSettings, publicJoinSettingsEndpoint } from '../join-state-contract.ts'
import { CommunityPicture } from './CommunityPicture.tsx'
import { InvitationCodeForm } from './InvitationCodeForm.tsx'
import { JoinRequestForm } from './JoinRequestForm.tsx'
import {
  type JoinRequestActionAndToken,
  JoinRequestStatusPage,
  readJoinRequestActionAndTokenFromUrl,
} from './JoinRequestStatusPage.tsx'
import { RegistrationForm } from './RegistrationForm.tsx'
import { registrationText } from './text.ts'
import { useInvitationCodeCheck } from './useInvitationCodeCheck.ts'

export default function RegisterPage() {
  const [link, setLink] = useState(readJoinRequestActionAndTokenFromUrl)
  const change = (next: JoinRequestActionAndToken | null) => {
    // Keeps the token in the URL, so that a reload of the page shows the same request.
    const address = next ? `#${next.action}=${next.token}` : location.pathname
    history.replaceState(history.state, '', address)
    setLink(next)
  }
  if (link) return <JoinRequestStatusPage link={link} onLink={change} />
  return <RegistrationSteps onRequested={(token) => change({ action: 'request', token })} />
}

/**
 * Renders the form that suits the settings of the community: for a registration, an invitation code or a
 * request to join.
 */
function RegistrationSteps({ onRequested }: Pick<RegistrationProps, 'onRequested'>) {
  const t = useText(signUpLogInAndProfileText)
  const [isRegistered, setRegistered] = useState(false)
  useOverridePageTitle(isRegistered ? t.registered : null)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [publicJoinSettingsEndpoint.path],
    queryFn: () => callEndpoint(publicJoinSettingsEndpoint, {}),
    initialData: () =>
      findInitialEndpointResponse(publicJoinSettingsEndpoint)?.body as PublicJoinSettings | undefined,
  })
  // Keeps the first response of the server, so that a later response does not remove a form that somebody is
  // filling in.
  const [first, setFirst] = useState(data)
  if (data && !first) setFirst(data)
  return (
    <PageLayout kind="narrow">
      <PageHeader title={isRegistered ? t.registered : t.signUp}>
        <CommunityPicture />
      </PageHeader>
      {!first && error && <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />}
      {!first && !error && <LoadingText />}
      {first?.who_can_join === 'closed' && <ClosedNotice />}
      {first && first.who_can_join !== 'closed' && (
        <Registration
          state={first}
          onRequested={onRequested}
          isRegistered={isRegistered}
          onRegistered={() => setRegistered(true)}
        />
      )}
    </PageLayout>
  )
}

interface RegistrationProps {
  state: PublicJoinSettings
  /** Called with the token of the request to join that the person has sent. */
  onRequested: (token: string) => void
  isRegistered: boolean
  onRegistered: () => void
}

/**
 * Checks the invitation code in the URL, then renders the form. Renders a form for a code if nobody can join
 * without one, or if the person wants to type a code that they have on paper.
 */
function Registration({ state, onRequested, isRegistered, onRegistered }: RegistrationProps) {
  const t = useText(registrationText)
  const { code, error, isTyped, isChecking, isValid, check } = useInvitationCodeCheck()
  const [isTyping, setTyping] = useState(false)
  const needsInvitation = state.who_can_join === 'invitation'
  if (isChecking && !isTyped) return <LoadingText />
  if ((needsInvitation || isTyping) && !isValid)
    return (
      <>
        <InvitationCodeForm
          isRequired={needsInvitation}
          code={code}
          error={error}
          pending={isChecking}
          onCode={check}
        />
        {!needsInvitation && <LinkButton onClick={() => setTyping(false)}>{t.withoutCode}</LinkButton>}
      </>
    )
  return (
    <>
      {error && <Notice kind="error">{error}</Notice>}
      {isValid && !isRegistered && <p className="form-alternative invitation-note">{t.invited}</p>}
      {state.who_can_join === 'approval' && !isValid && !isRegistered ? (
        <JoinRequestForm question={state.join_question} onSent={onRequested} />
      ) : (
        <RegistrationForm invitation={isValid ? code : null} onRegistered={onRegistered} />
      )}
      {!isValid && !isRegistered && (
        <LinkButton
          onClick={() => {
            setTyping(true)
            focusFirstMatchOnceRendered('input[name=invitation]')
          }}
        >
          {t.haveCode}
        </LinkButton>
      )}
    </>
  )
}

/** Renders a small button below the form. The button shows another form in place of this one. */
const LinkButton = ({ onClick, children }: { onClick: () => void; children: string }) => (
  <p className="text-soft form-choice">
    <button type="button" className="link" onClick={onClick}>
      {children}
    </button>
  </p>
)

/** Renders a notice in place of the form while nobody may register. */
function ClosedNotice() {
  const t = useText(registrationText)
  return (
    <div className="card alone form-card">
      <p>{t.closed}</p>
      <p className="text-soft">{t.closedHelp}</p>
      <ButtonLink kind="primary" fullWidth href="/login">
        {t.logIn}
      </ButtonLink>
    </div>
  )
}
