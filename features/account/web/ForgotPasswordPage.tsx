import '#features/people/web/account-pages.css'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { ApiError, callEndpoint, requestCsrfTokenCookie } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { focusFirstMatchOnceRendered } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { initialPageData } from '#web/page-data.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { DecorativeAvatars, PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { accountEndpoints } from '../contract.ts'
import { passwordResetText } from './reset-text.ts'

async function requestLink(email: string) {
  await requestCsrfTokenCookie()
  return callEndpoint(accountEndpoints.forgotPassword, { email })
}

/**
 * Renders the page where a person asks for a mail with a link that sets a new password. If the server sends
 * no mail, the page says what to do instead.
 */
export default function ForgotPasswordPage() {
  const t = useText(passwordResetText)
  return (
    <PageLayout kind="narrow">
      <PageHeader title={t.forgotTitle}>
        <DecorativeAvatars />
      </PageHeader>
      {initialPageData.app.mail ? (
        <>
          <LinkForm />
          <p className="text-soft form-alternative">
            {t.noMail}{' '}
            <Link className="link" href="/reset-password">
              {t.haveCode}
            </Link>
          </p>
        </>
      ) : (
        <div className="card alone form-card">
          <p>{t.siteWithoutMail}</p>
          <ButtonLink kind="primary" fullWidth href="/reset-password">
            {t.haveCode}
          </ButtonLink>
        </div>
      )}
    </PageLayout>
  )
}

function LinkForm() {
  const t = useText(passwordResetText)
  const formatError = useErrorFormatter()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: requestLink,
    onError: () => focusFirstMatchOnceRendered('[aria-invalid="true"]'),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending) mutate(String(new FormData(event.currentTarget).get('email')))
  }
  const emailError = error instanceof ApiError ? error.errors.email?.[0] : undefined
  return (
    <form className="card alone form-card" noValidate onSubmit={submit}>
      <p>{t.forgotHelp}</p>
      <Field label={t.email} name="email" type="email" autoComplete="username" error={emailError} />
      <Button kind="primary" fullWidth type="submit" pending={isPending}>
        {t.sendLink}
      </Button>
      {/* The form shows the result below the button, so that the button does not move under the pointer. */}
      {data && <Notice kind="success">{data.message}</Notice>}
      {error && !emailError && <Notice kind="error">{formatError(error)}</Notice>}
    </form>
  )
}
