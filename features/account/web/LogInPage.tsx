import '#web/ui/form-pages.css'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useLocation } from 'wouter'
import { peopleEndpoints } from '#features/people/contract.ts'
import { accountText, specTexts } from '#features/people/web/account-text.ts'
import { SignedIn, useSignedIn } from '#features/people/web/SignedIn.tsx'
import { CommunityPicture } from '#features/registration/web/CommunityPicture.tsx'
import { ApiError, callEndpoint, requestCsrf } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { useSetMe } from '#web/me.ts'
import { pageData } from '#web/page-data.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { QuotedText } from '#web/ui/QuotedText.tsx'
import { accountEndpoints } from '../contract.ts'
import { useLogInRedirect } from './after-log-in.ts'
import { membersOnlyText, resetText } from './log-in-text.ts'
import { PasskeyButton } from './PasskeyButton.tsx'

/** Without `secondStep`, `me` is null if the account could not be read. */
async function logIn(form: FormData) {
  await requestCsrf()
  const answer = await callEndpoint(accountEndpoints.logIn, {
    email: String(form.get('email')),
    password: String(form.get('password')),
  })
  if (answer?.two_factor) return { secondStep: true, me: null }
  return { secondStep: false, me: await callEndpoint(peopleEndpoints.me, {}).catch(() => null) }
}

/** Nothing in a community that everybody may read, and join without being asked. */
function JoinNotice() {
  const t = useText(membersOnlyText)
  const { membersOnly, name, join } = pageData.app
  if (!membersOnly && join !== 'approval') return null
  return (
    <p className="text-soft form-alternative">
      {membersOnly && t.membersOnly(name)} {t.howToJoin[join]}
    </p>
  )
}

export default function LogInPage() {
  const t = useText(accountText)
  const { me, showForm } = useSignedIn()
  if (!me) return <LogIn />
  return (
    <PageLayout kind="narrow">
      <PageHeader title={t.logIn}>
        <CommunityPicture />
      </PageHeader>
      <SignedIn me={me} onOther={showForm} />
    </PageLayout>
  )
}

function LogIn() {
  const t = useText(accountText)
  const reset = useText(resetText)
  const { toJoin } = useText(membersOnlyText)
  const explain = useErrorText()
  const [, go] = useLocation()
  const changed = useSetMe()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: logIn,
    onSuccess: ({ secondStep, me }) => {
      if (secondStep) go(`/two-factor-challenge${location.search}`)
      if (me) changed(me)
    },
  })
  const isSuccess = data?.secondStep === false
  useLogInRedirect(isSuccess, data?.me)

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending && !isSuccess) mutate(new FormData(event.currentTarget))
  }
  const why = error instanceof ApiError && [0, 403].includes(error.status) ? explain(error) : null
  // The server's message for too many wrong passwords names the other ways to log in.
  const tooMany = error instanceof ApiError && error.status === 429 ? error.message : null
  return (
    <PageLayout kind="narrow">
      <PageHeader title={t.logIn}>
        <CommunityPicture />
      </PageHeader>
      <JoinNotice />
      <form className="card alone form-card" noValidate onSubmit={submit}>
        <Field
          label={t.emailOrHandle}
          name="email"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          autoComplete="username"
          // Only with a mouse: on touch devices the keyboard would cover the form.
          autoFocus={matchMedia('(pointer: fine)').matches}
        />
        <Field label={t.password} name="password" type="password" autoComplete="current-password" />
        <Button kind="primary" fullWidth type="submit" pending={isPending}>
          {t.logIn}
        </Button>
        <PasskeyButton purpose="log in" />
        {/* Below the buttons, so that they do not move under the pointer. */}
        {isSuccess && (
          <Notice kind="success">
            <QuotedText {...specTexts.logInSucceeded} />
          </Notice>
        )}
        {error && (
          <Notice kind="error">
            <QuotedText {...specTexts.logInFailed} />
            {(why ?? tooMany) && <small>{why ?? tooMany}</small>}
          </Notice>
        )}
      </form>
      <p className="form-alternative">
        <Link className="link" href="/forgot-password">
          {reset.forgotLink}
        </Link>
      </p>
      {pageData.app.join !== 'closed' && (
        <p className="text-soft form-alternative">
          {t.newHere}{' '}
          <Link className="link" href="/register">
            {toJoin[pageData.app.join]}
          </Link>
        </p>
      )}
    </PageLayout>
  )
}
