import '#web/ui/form-pages.css'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { NewPasswordField } from '#features/people/web/NewPasswordField.tsx'
import { ApiError, callEndpoint, requestCsrf } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { focusFirst } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { useRefetchMe } from '#web/me.ts'
import { pageData } from '#web/page-data.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { HeaderAvatars, PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { accountEndpoints } from '../contract.ts'
import { resetText } from './log-in-text.ts'
import { useUrlFragment } from './useUrlFragment.ts'

/** The token of a mail, or the handle and the code of an admin's QR code, which fill the form. */
function useProofOfLink() {
  const fragment = useUrlFragment()
  const fields = new URLSearchParams(fragment)
  const code = fields.get('code')
  return code === null
    ? { token: fragment, handle: '', code: '' }
    : { token: '', handle: fields.get('handle') ?? '', code }
}
type ProofOfLink = ReturnType<typeof useProofOfLink>

/** Without a token, with the address or handle and the code of the form. */
async function resetPassword(form: FormData, token: string) {
  await requestCsrf()
  const password = String(form.get('password'))
  const password_confirmation = String(form.get('password_confirmation'))
  const proof = token ? { token } : { email: String(form.get('email')), code: String(form.get('code')) }
  return callEndpoint(accountEndpoints.resetPassword, { ...proof, password, password_confirmation })
}

/** Does not log in: the member does so with the new password afterwards. */
export default function ResetPasswordPage() {
  const t = useText(resetText)
  const refetchMe = useRefetchMe()
  const proof = useProofOfLink()
  const { token } = proof
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (form: FormData) => resetPassword(form, token),
    onSuccess: () => {
      history.replaceState(history.state, '', location.pathname)
      void refetchMe()
    },
    onError: () => focusFirst('[aria-invalid="true"]'),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending) mutate(new FormData(event.currentTarget))
  }
  return (
    <PageLayout kind="narrow">
      <PageHeader title={t.resetTitle}>
        <HeaderAvatars />
      </PageHeader>
      {data ? (
        <div className="card alone form-card">
          <Notice kind="success">{data.message}</Notice>
          <ButtonLink kind="primary" fullWidth href="/login">
            {t.toLogIn}
          </ButtonLink>
        </div>
      ) : (
        <form key={token || proof.code} className="card alone form-card" noValidate onSubmit={submit}>
          <ResetFields proof={proof} error={error} />
          <Button kind="primary" fullWidth type="submit" pending={isPending}>
            {t.save}
          </Button>
          <ResetError error={error} />
        </form>
      )}
      {!data && (
        <p className="text-soft form-alternative">
          {!token && `${t.noCode} `}
          {pageData.app.mail ? (
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

/** By the names of the input fields. */
const toFieldErrors = (error: Error | null) => (error instanceof ApiError ? error.errors : {})

function ResetFields({ proof, error }: { proof: ProofOfLink; error: Error | null }) {
  const hasToken = proof.token !== ''
  const t = useText(resetText)
  const wrong = toFieldErrors(error)
  return (
    <>
      {!hasToken && (
        <>
          <p>{t.codeHelp}</p>
          <Field
            label={t.emailOrHandle}
            name="email"
            inputMode="email"
            autoCapitalize="none"
            autoComplete="username"
            spellCheck={false}
            defaultValue={proof.handle}
            error={wrong.email?.[0]}
          />
          <Field
            label={t.code}
            hint={t.codeHint}
            name="code"
            defaultValue={proof.code}
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
      <p className="text-soft">{t.resetHelp}</p>
    </>
  )
}

/** For errors that belong to no input field, such as a used link. */
function ResetError({ error }: { error: Error | null }) {
  const formatError = useErrorText()
  const { email, code, password } = toFieldErrors(error)
  if (!error || email || code || password) return null
  return <Notice kind="error">{formatError(error)}</Notice>
}
