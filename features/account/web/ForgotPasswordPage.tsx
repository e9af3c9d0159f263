import '#web/ui/form-pages.css'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { ApiError, callEndpoint, requestCsrf } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { focusFirst } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { pageData } from '#web/page-data.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { HeaderAvatars, PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { accountEndpoints } from '../contract.ts'
import { resetText } from './log-in-text.ts'

async function requestLink(email: string) {
  await requestCsrf()
  return callEndpoint(accountEndpoints.forgotPassword, { email })
}

/** Without a mail server, says what to do instead. */
export default function ForgotPasswordPage() {
  const t = useText(resetText)
  return (
    <PageLayout kind="narrow">
      <PageHeader title={t.forgotTitle}>
        <HeaderAvatars />
      </PageHeader>
      {pageData.app.mail ? (
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
  const t = useText(resetText)
  const formatError = useErrorText()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: requestLink,
    onError: () => focusFirst('[aria-invalid="true"]'),
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
      {/* Below the button, so that it does not move under the pointer. */}
      {data && <Notice kind="success">{data.message}</Notice>}
      {error && !emailError && <Notice kind="error">{formatError(error)}</Notice>}
    </form>
  )
}
