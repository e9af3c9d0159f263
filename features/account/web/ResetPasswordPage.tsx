import '#features/people/web/account-pages.css'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { NewPasswordField } from '#features/people/web/NewPasswordField.tsx'
import { ApiError, callEndpoint, fetchCsrfToken } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { focusAfterRender } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { useRefetchMe } from '#web/me.ts'
import { initialPageData } from '#web/page-data.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { DecorativeAvatars, PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { accountEndpoints } from '../contract.ts'
import { resetText } from './reset-text.ts'

/**
 * Returns the token in the fragment of the address; empty if there is none. Stores it, because the page
 * removes it from the address once it is used. A second link in the same window changes only the fragment.
 */
function useTokenOfLink() {
  const [token, setToken] = useState(() => location.hash.slice(1))
  useEffect(() => {
    const read = () => setToken(location.hash.slice(1))
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [])
  return token
}

/** Sends the new password, with the token of the link, or with the address and the code of the form. */
async function resetPassword(form: FormData, token: string) {
  await fetchCsrfToken()
  const password = String(form.get('password'))
  const password_confirmation = String(form.get('password_confirmation'))
  const proof = token ? { token } : { email: String(form.get('email')), code: String(form.get('code')) }
  return callEndpoint(accountEndpoints.resetPassword, { ...proof, password, password_confirmation })
}

/**
 * Sets a new password with the link of a mail, whose token is in the fragment, or with a code. The server
 * does not log in: the member uses the new password for that.
 */
export default function ResetPasswordPage() {
  const t = useText(resetText)
  const refetchMe = useRefetchMe()
  const token = useTokenOfLink()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (form: FormData) => resetPassword(form, token),
    onSuccess: () => {
      history.replaceState(history.state, '', location.pathname)
      void refetchMe()
    },
    onError: () => focusAfterRender('[aria-invalid="true"]'),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending) mutate(new FormData(event.currentTarget))
  }
  return (
    <PageLayout kind="narrow">
      <PageHeader title={t.resetTitle}>
        <DecorativeAvatars />
      </PageHeader>
      {data ? (
        <div className="card alone form-card">
          <Notice kind="success">{data.message}</Notice>
          <ButtonLink kind="primary" fullWidth href="/login">
            {t.toLogIn}
          </ButtonLink>
        </div>
      ) : (
        <form key={token} className="card alone form-card" noValidate onSubmit={submit}>
          <ResetFields hasToken={token !== ''} error={error} />
          <Button kind="primary" fullWidth type="submit" pending={isPending}>
            {t.save}
          </Button>
          <ResetError error={error} />
        </form>
      )}
      {!data && (
        <p className="text-soft form-alternative">
          {!token && `${t.noCode} `}
          {initialPageData.app.mail ? (
            <Link className="link" href="/forgot-password">
              {t.requestLink}
            </Link>
          ) : (
            t.askAdmin
          )}
        </p>
      )}
    </PageLayout>
  )
}

/** The errors of the fields, by their names. */
const toFieldErrors = (error: Error | null) => (error instanceof ApiError ? error.errors : {})

function ResetFields({ hasToken, error }: { hasToken: boolean; error: Error | null }) {
  const t = useText(resetText)
  const wrong = toFieldErrors(error)
  return (
    <>
      <p>{hasToken ? t.resetHelp : `${t.codeHelp} ${t.resetHelp}`}</p>
      {!hasToken && (
        <>
          <Field label={t.email} name="email" type="email" autoComplete="username" error={wrong.email?.[0]} />
          <Field
            label={t.code}
            hint={t.codeHint}
            name="code"
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            error={wrong.code?.[0]}
          />
        </>
      )}
      <NewPasswordField label={t.newPassword} error={wrong.password?.[0]} />
      <Field
        label={t.repeatPassword}
        name="password_confirmation"
        type="password"
        autoComplete="new-password"
      />
    </>
  )
}

/** Shows the errors that belong to no field, such as a link that has been used. */
function ResetError({ error }: { error: Error | null }) {
  const formatError = useErrorFormatter()
  const { email, code, password } = toFieldErrors(error)
  if (!error || email || code || password) return null
  return <Notice kind="error">{formatError(error)}</Notice>
}
