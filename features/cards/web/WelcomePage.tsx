import '#features/people/web/account-pages.css'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { findPasskeyUnavailableReason } from '#features/account/web/passkey-client.ts'
import { usePasskeyErrorFormatter } from '#features/account/web/passkey-text.ts'
import { useUrlFragment } from '#features/account/web/useUrlFragment.ts'
import { NewPasswordField } from '#features/people/web/NewPasswordField.tsx'
import { ApiError, callEndpoint, requestCsrfTokenCookie } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { focusFirstMatchOnceRendered } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Link } from '#web/ui/Link.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { DecorativeAvatars, PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { logInCardEndpoints } from '../contract.ts'
import { logInCardWelcomePageText } from './text.ts'

/**
 * Renders the page that the QR code of a log-in card opens: it greets the member, who chooses a password or a
 * passkey and is then logged in.
 */
export default function WelcomePage() {
  const t = useText(logInCardWelcomePageText)
  const code = useUrlFragment()
  return (
    <PageLayout kind="narrow">
      <PageHeader title={t.title}>
        <DecorativeAvatars />
      </PageHeader>
      {code ? <Card key={code} code={code} /> : <CodeForm error={null} />}
    </PageLayout>
  )
}

async function checkCard(code: string) {
  await requestCsrfTokenCookie()
  return callEndpoint(logInCardEndpoints.check, { code })
}

/**
 * Renders the welcome page for one code: asks the server whether the card is valid, then renders the form for
 * a password or a passkey. If the card is not valid, renders the form for another code.
 */
function Card({ code }: { code: string }) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [logInCardEndpoints.check.path, code],
    queryFn: () => checkCard(code),
    // `staleTime` keeps the form on the page after the card was used, because the card is not checked again.
    // `gcTime` removes the code from memory when the member leaves the page.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  if (data) return <FirstLogInForm code={code} {...data} />
  if (error instanceof ApiError && error.status === 422)
    return <CodeForm error={error.errors.code?.[0] ?? error.message} />
  if (error) return <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
  return <LoadingText />
}

/**
 * Renders the form into which a member types the code of a log-in card. The form puts the code into the
 * fragment of the URL, so that a reload keeps the code.
 */
function CodeForm({ error }: { error: string | null }) {
  const t = useText(logInCardWelcomePageText)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = String(new FormData(event.currentTarget).get('code')).trim()
    // Puts the typed code into the fragment of the URL, without characters that the server ignores, such as
    // spaces and hyphens.
    if (typed) location.hash = typed.replace(/[^\p{L}\p{N}]/gu, '')
  }
  return (
    <>
      <form className="card alone form-card" noValidate onSubmit={submit}>
        <p>{t.typeCode}</p>
        <Field
          label={t.code}
          hint={t.codeHint}
          error={error}
          name="code"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={100}
        />
        <Button kind="primary" fullWidth type="submit">
          {t.continue}
        </Button>
      </form>
      <p className="form-alternative">
        <Link className="link" href="/login">
          {t.toLogIn}
        </Link>
      </p>
    </>
  )
}

/**
 * Asks the browser to create a passkey for the member of the card. Returns what the browser sends to the
 * server.
 */
async function createPasskey(code: string) {
  const optionsJSON = await callEndpoint(logInCardEndpoints.passkeyOptions, { code })
  const { startRegistration } = await import('@simplewebauthn/browser')
  return startRegistration({ optionsJSON })
}

/**
 * Returns a mutation that logs the member of the card in with a password, or with a new passkey if the
 * password is null. Then it opens the first page.
 */
function useFirstLogIn(code: string) {
  return useMutation({
    mutationFn: async (password: string | null) => {
      await requestCsrfTokenCookie()
      const proof = password === null ? { passkey: await createPasskey(code) } : { password }
      return callEndpoint(logInCardEndpoints.use, { code, ...proof })
    },
    // Loads the next page from the server, because this page was loaded without the data of a member.
    // `replace` also removes the URL with the code from the history of the browser.
    onSuccess: ({ group }) => location.replace(group === null ? '/' : `/group-chat/${group}`),
    onError: () => focusFirstMatchOnceRendered('[aria-invalid="true"]'),
  })
}

interface FirstLogInProps {
  code: string
  name: string
  handle: string
  passkey_origin: string | null
}

function FirstLogInForm({ code, name, handle, passkey_origin }: FirstLogInProps) {
  const t = useText(logInCardWelcomePageText)
  const me = useMe()
  const { mutate, error, variables, isPending, isSuccess } = useFirstLogIn(code)
  const wrong = error instanceof ApiError ? error.errors : {}
  const isWaiting = isPending || isSuccess
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isWaiting) mutate(String(new FormData(event.currentTarget).get('password')))
  }
  return (
    <form className="card alone form-card" noValidate onSubmit={submit}>
      <h2 dir="auto">{t.hello(name)}</h2>
      {me && <Notice kind="warning">{t.loggedIn(me.name)}</Notice>}
      <p>{t.choose}</p>
      <dl className="welcome-handle" translate="no">
        <dt>{t.handle}</dt>
        <dd>@{handle}</dd>
      </dl>
      {/* Because of this field, password managers store the handle together with the password. */}
      <input type="hidden" name="username" autoComplete="username" value={handle} readOnly />
      <NewPasswordField label={t.password} error={wrong.password?.[0]} />
      <Button kind="primary" fullWidth type="submit" pending={isWaiting && variables !== null}>
        {t.enter}
      </Button>
      {!findPasskeyUnavailableReason(passkey_origin) && (
        <>
          <p className="text-soft">{t.passkeyHelp}</p>
          <Button
            fullWidth
            pending={isWaiting && variables === null}
            onClick={() => !isWaiting && mutate(null)}
          >
            {t.passkey}
          </Button>
        </>
      )}
      {isSuccess && <Notice kind="success">{t.done}</Notice>}
      {error && !wrong.password && <UseError error={error} isPasskey={variables === null} />}
    </form>
  )
}

/**
 * Renders the reason why the card could not be used. If the card itself is the reason, also renders a link to
 * the log-in page.
 */
function UseError({ error, isPasskey }: { error: Error; isPasskey: boolean }) {
  const t = useText(logInCardWelcomePageText)
  const formatError = useErrorFormatter()
  const formatPasskeyError = usePasskeyErrorFormatter()
  const cardError = error instanceof ApiError ? error.errors.code?.[0] : undefined
  return (
    <>
      <Notice kind="error">
        {cardError ?? (isPasskey ? formatPasskeyError(error, 'add') : formatError(error))}
      </Notice>
      {cardError && (
        <ButtonLink fullWidth href="/login">
          {t.toLogIn}
        </ButtonLink>
      )}
    </>
  )
}
