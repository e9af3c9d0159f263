import '#features/people/web/account-pages.css'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useLocation } from 'wouter'
import { peopleEndpoints } from '#features/people/contract.ts'
import {
  logInAndProfileSpecificationTextPropsByName,
  signUpLogInAndProfileText,
} from '#features/people/web/account-text.ts'
import { CommunityPicture } from '#features/registration/web/CommunityPicture.tsx'
import { ApiError, callEndpoint, requestCsrfTokenCookie } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { useSetMe } from '#web/me.ts'
import { initialPageData } from '#web/page-data.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { SpecificationTextWithTranslation } from '#web/ui/SpecificationTextWithTranslation.tsx'
import { accountEndpoints } from '../contract.ts'
import { useDelayedRedirectAfterLogIn } from './after-log-in.ts'
import { membersOnlyLogInPageText } from './members-only-text.ts'
import { PasskeyLogInButton } from './PasskeyLogInButton.tsx'
import { passwordResetText } from './reset-text.ts'

/**
 * Sends the e-mail address or the handle, and the password, from the log-in form. Resolves with `secondStep`
 * true if the log-in needs a second step. Otherwise `me` is the account, or null if the account could not be
 * read.
 */
async function logIn(form: FormData) {
  await requestCsrfTokenCookie()
  const answer = await callEndpoint(accountEndpoints.logIn, {
    email: String(form.get('email')),
    password: String(form.get('password')),
  })
  if (answer?.two_factor) return { secondStep: true, me: null }
  return { secondStep: false, me: await callEndpoint(peopleEndpoints.me, {}).catch(() => null) }
}

function MembersOnlyNotice() {
  const t = useText(membersOnlyLogInPageText)
  return (
    <p className="text-soft form-alternative">
      {t.membersOnly(initialPageData.app.name)} {t.askForInvitation}
    </p>
  )
}

export default function LogInPage() {
  const t = useText(signUpLogInAndProfileText)
  const reset = useText(passwordResetText)
  const explain = useErrorFormatter()
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
  useDelayedRedirectAfterLogIn(isSuccess, data?.me)

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
      {initialPageData.app.membersOnly && <MembersOnlyNotice />}
      <form className="card alone form-card" noValidate onSubmit={submit}>
        <Field
          label={t.emailOrHandle}
          name="email"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          autoComplete="username"
          // Focuses the field only on devices with a mouse: on touch devices the keyboard would cover the
          // form.
          autoFocus={matchMedia('(pointer: fine)').matches}
        />
        <Field label={t.password} name="password" type="password" autoComplete="current-password" />
        <Button kind="primary" fullWidth type="submit" pending={isPending}>
          {t.logIn}
        </Button>
        <PasskeyLogInButton purpose="log in" />
        {/* The form shows the result below the buttons, so that they do not move under the pointer. */}
        {isSuccess && (
          <Notice kind="success">
            <SpecificationTextWithTranslation
              {...logInAndProfileSpecificationTextPropsByName.logInSucceeded}
            />
          </Notice>
        )}
        {error && (
          <Notice kind="error">
            <SpecificationTextWithTranslation {...logInAndProfileSpecificationTextPropsByName.logInFailed} />
            {(why ?? tooMany) && <small>{why ?? tooMany}</small>}
          </Notice>
        )}
      </form>
      <p className="form-alternative">
        <Link className="link" href="/forgot-password">
          {reset.forgotLink}
        </Link>
      </p>
      {!initialPageData.app.closed && (
        <p className="text-soft form-alternative">
          {t.newHere}{' '}
          <Link className="link" href="/register">
            {t.signUpLink}
          </Link>
        </p>
      )}
    </PageLayout>
  )
}
