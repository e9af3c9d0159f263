import '#features/people/web/account-pages.css'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect } from 'react'
import { Link, useLocation } from 'wouter'
import { peopleEndpoints } from '#features/people/contract.ts'
import { accountText, specificationTexts } from '#features/people/web/account-text.ts'
import { ApiError, callEndpoint, fetchCsrfToken } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { useSetMe } from '#web/me.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { DecorativeAvatars, PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { SpecificationText } from '#web/ui/SpecificationText.tsx'
import { accountEndpoints } from '../contract.ts'

const REDIRECT_AFTER = 1000

/** The page to open after the log-in, from `?next=`: a page of this site, or the home page. */
function pathAfterLogIn() {
  const next = new URLSearchParams(location.search).get('next') ?? '/'
  const url = URL.canParse(next, location.origin) ? new URL(next, location.origin) : null
  if (
    !next.startsWith('/') ||
    url?.origin !== location.origin ||
    /^\/(\/|(login|logout)\b)/.test(url.pathname)
  )
    return '/'
  return url.pathname + url.search
}

async function logIn(form: FormData) {
  await fetchCsrfToken()
  await callEndpoint(accountEndpoints.logIn, {
    email: String(form.get('email')),
    password: String(form.get('password')),
  })
  return callEndpoint(peopleEndpoints.me, {}).catch(() => null)
}

export default function LogInPage() {
  const t = useText(accountText)
  const explain = useErrorFormatter()
  const [, go] = useLocation()
  const changed = useSetMe()
  const {
    mutate,
    data: me,
    error,
    isPending,
    isSuccess,
  } = useMutation({ mutationFn: logIn, onSuccess: (me) => me && changed(me) })

  useEffect(() => {
    if (!isSuccess) return
    const next = pathAfterLogIn()
    const timer = setTimeout(() => (me ? go(next) : location.assign(next)), REDIRECT_AFTER)
    return () => clearTimeout(timer)
  }, [isSuccess, me, go])

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending && !isSuccess) mutate(new FormData(event.currentTarget))
  }
  const why = error instanceof ApiError && [0, 403, 429].includes(error.status) ? explain(error) : null
  return (
    <PageLayout kind="narrow">
      <PageHeader title={t.logIn}>
        <DecorativeAvatars />
      </PageHeader>
      <form className="card alone form-card" noValidate onSubmit={submit}>
        <Field
          label={t.email}
          name="email"
          type="email"
          autoComplete="username"
          // On touch devices the keyboard would cover the form.
          autoFocus={matchMedia('(pointer: fine)').matches}
        />
        <Field label={t.password} name="password" type="password" autoComplete="current-password" />
        <Button kind="primary" fullWidth type="submit" pending={isPending}>
          {t.logIn}
        </Button>
        {/* Below the button, so that nothing moves under the pointer. */}
        {isSuccess && (
          <Notice kind="success">
            <SpecificationText {...specificationTexts.logInSucceeded} />
          </Notice>
        )}
        {error && (
          <Notice kind="error">
            <SpecificationText {...specificationTexts.logInFailed} />
            {why && <small>{why}</small>}
          </Notice>
        )}
      </form>
      <p className="text-soft form-alternative">
        {t.newHere}{' '}
        <Link className="link" href="/register">
          {t.signUpLink}
        </Link>
      </p>
    </PageLayout>
  )
}
