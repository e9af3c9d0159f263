import '#web/ui/form-pages.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accountText } from '#features/people/web/account-text.ts'
import { SignedIn, useSignedIn } from '#features/people/web/SignedIn.tsx'
import { callEndpoint } from '#web/api.ts'
import { focusFirst } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { findAnswer } from '#web/page-data.ts'
import { usePageTitle } from '#web/title.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { type JoinSettings, registrationEndpoints } from '../contract.ts'
import { CodeForm } from './CodeForm.tsx'
import { CommunityPicture } from './CommunityPicture.tsx'
import { JoinRequestForm } from './JoinRequestForm.tsx'
import { type JoinLink, JoinStatusPage, readJoinLink } from './JoinStatusPage.tsx'
import { RegistrationForm } from './RegistrationForm.tsx'
import { registrationText } from './text.ts'
import { useInvitationCode } from './useInvitationCode.ts'

export default function RegisterPage() {
  const [link, setLink] = useState(readJoinLink)
  const change = (next: JoinLink | null) => {
    // A reload of the page shows the same request.
    const address = next ? `#${next.action}=${next.token}` : location.pathname
    history.replaceState(history.state, '', address)
    setLink(next)
  }
  const t = useText(accountText)
  const { me, showForm } = useSignedIn()
  if (link) return <JoinStatusPage link={link} onLink={change} />
  if (me)
    return (
      <PageLayout kind="narrow">
        <PageHeader title={t.signUp}>
          <CommunityPicture />
        </PageHeader>
        <SignedIn me={me} onOther={showForm} />
      </PageLayout>
    )
  return <RegistrationSteps onRequested={(token) => change({ action: 'request', token })} />
}

function RegistrationSteps({ onRequested }: Pick<Props, 'onRequested'>) {
  const t = useText(accountText)
  const [isRegistered, setRegistered] = useState(false)
  usePageTitle(isRegistered ? t.registered : null)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [registrationEndpoints.state.path],
    queryFn: () => callEndpoint(registrationEndpoints.state, {}),
    initialData: () => findAnswer(registrationEndpoints.state)?.body as JoinSettings | undefined,
  })
  // A later response does not remove a form that somebody is filling in.
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

interface Props {
  state: JoinSettings
  onRequested: (token: string) => void
  isRegistered: boolean
  onRegistered: () => void
}

/** Asks for a code if nobody can join without one, or the person has one on paper. */
function Registration({ state, onRequested, isRegistered, onRegistered }: Props) {
  const t = useText(registrationText)
  const { code, error, isTyped, isChecking, isValid, check } = useInvitationCode()
  const [isTyping, setTyping] = useState(false)
  const needsInvitation = state.who_can_join === 'invitation'
  if (isChecking && !isTyped) return <LoadingText />
  if ((needsInvitation || isTyping) && !isValid)
    return (
      <>
        <CodeForm
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
            focusFirst('input[name=invitation]')
          }}
        >
          {t.haveCode}
        </LinkButton>
      )}
    </>
  )
}

const LinkButton = ({ onClick, children }: { onClick: () => void; children: string }) => (
  <p className="text-soft form-choice">
    <button type="button" className="link" onClick={onClick}>
      {children}
    </button>
  </p>
)

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
