import '#web/ui/form-pages.css'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { findPasskeyProblem } from '#features/account/web/passkey-client.ts'
import { usePasskeyErrors } from '#features/account/web/passkey-text.ts'
import { useUrlFragment } from '#features/account/web/useUrlFragment.ts'
import { NewPasswordField } from '#features/people/web/NewPasswordField.tsx'
import { ReadingField } from '#features/people/web/Reading.tsx'
import { bareCode, invitationPage } from '#features/registration/web/typed-code.ts'
import { ApiError, callEndpoint, requestCsrf } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { focusFirst } from '#web/focus.ts'
import { useLang, useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Link } from '#web/ui/Link.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { HeaderAvatars, PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { cardEndpoints } from '../contract.ts'
import { welcomeText } from './text.ts'

/** The QR code of a log-in card opens this page. */
export default function WelcomePage() {
  const t = useText(welcomeText)
  const code = useUrlFragment()
  return (
    <PageLayout kind="narrow">
      <PageHeader title={t.title}>
        <HeaderAvatars />
      </PageHeader>
      {code ? <Card key={code} code={code} /> : <CodeForm error={null} />}
    </PageLayout>
  )
}

async function checkCard(code: string) {
  await requestCsrf()
  return callEndpoint(cardEndpoints.check, { code })
}

/** A form for a password or a passkey; for another code, if the card is not valid. */
function Card({ code }: { code: string }) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [cardEndpoints.check.path, code],
    queryFn: () => checkCard(code),
    // `staleTime` keeps the form after the card was used, which is not checked again. `gcTime` removes the
    // code from memory when the member leaves the page.
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

/** Puts the code into the fragment of the URL, so that a reload keeps it. */
function CodeForm({ error }: { error: string | null }) {
  const t = useText(welcomeText)
  const [, go] = useLocation()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = String(new FormData(event.currentTarget).get('code')).trim()
    const other = invitationPage(typed)
    if (other) go(other)
    else if (typed) location.hash = bareCode(typed)
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

async function createPasskey(code: string) {
  const optionsJSON = await callEndpoint(cardEndpoints.passkeyOptions, { code })
  const { startRegistration } = await import('@simplewebauthn/browser')
  return startRegistration({ optionsJSON })
}

/** Null for a passkey. The handle and the reading are missing if they stay as they are. */
interface FirstLogIn {
  password: string | null
  handle?: string
  reading?: string
}

/** Without a password, creates a passkey. Then opens the first page. */
function useFirstLogIn(code: string) {
  return useMutation({
    mutationFn: async ({ password, ...names }: FirstLogIn) => {
      await requestCsrf()
      const proof = password === null ? { passkey: await createPasskey(code) } : { password }
      return callEndpoint(cardEndpoints.use, { code, ...names, ...proof })
    },
    // From the server, because this page was loaded without the data of a member. `replace` also removes the
    // URL with the code from the history.
    onSuccess: ({ group }) => location.replace(group === null ? '/' : `/group-chat/${group}`),
    onError: () => focusFirst('[aria-invalid="true"]'),
  })
}

interface FirstLogInProps {
  code: string
  name: string
  reading: string | null
  handle: string
  passkey_origin: string | null
}

function FirstLogInForm({ code, name, passkey_origin, ...given }: FirstLogInProps) {
  const t = useText(welcomeText)
  const lang = useLang()
  const me = useMe()
  const [handle, setHandle] = useState(given.handle)
  const [reading, setReading] = useState(given.reading ?? '')
  const { mutate, error, variables, isPending, isSuccess } = useFirstLogIn(code)
  const wrong = error instanceof ApiError ? error.errors : {}
  const isWaiting = isPending || isSuccess
  const logIn = (password: string | null) => {
    if (isWaiting) return
    mutate({
      password,
      ...(handle !== given.handle && { handle }),
      ...(reading !== (given.reading ?? '') && { reading }),
    })
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    logIn(String(new FormData(event.currentTarget).get('password')))
  }
  return (
    <form className="card alone form-card" noValidate onSubmit={submit}>
      <h2 dir="auto">{t.hello(name)}</h2>
      {me && <Notice kind="warning">{t.loggedIn(me.name)}</Notice>}
      <p>{t.choose}</p>
      <HandleField given={given.handle} handle={handle} error={wrong.handle?.[0]} onHandle={setHandle} />
      {lang === 'ja' && (
        <ReadingField
          error={wrong.reading?.[0]}
          value={reading}
          onChange={(event) => setReading(event.target.value)}
        />
      )}
      {/* Because of this field, password managers store the handle together with the password. */}
      <input type="hidden" name="username" autoComplete="username" value={handle} readOnly />
      <NewPasswordField label={t.password} error={wrong.password?.[0]} />
      <Button kind="primary" fullWidth type="submit" pending={isWaiting && variables?.password !== null}>
        {t.enter}
      </Button>
      {!findPasskeyProblem(passkey_origin) && (
        <>
          <p className="text-soft">{t.passkeyHelp}</p>
          <Button fullWidth pending={isWaiting && variables?.password === null} onClick={() => logIn(null)}>
            {t.passkey}
          </Button>
        </>
      )}
      {isSuccess && <Notice kind="success">{t.done}</Notice>}
      {error && !wrong.password && !wrong.handle && !wrong.reading && (
        <UseError error={error} isPasskey={variables?.password === null} />
      )}
    </form>
  )
}

interface HandleFieldProps {
  given: string
  handle: string
  error: string | undefined
  onHandle: (handle: string) => void
}

/** Shows the handle of the card, and a field for another one on request. */
function HandleField({ given, handle, error, onHandle }: HandleFieldProps) {
  const t = useText(welcomeText)
  const [isOpen, setOpen] = useState(false)
  if (isOpen)
    return (
      <Field
        label={t.newHandle}
        hint={t.newHandleHint}
        error={error}
        name="handle"
        autoComplete="off"
        autoCapitalize="none"
        autoFocus
        spellCheck={false}
        value={handle}
        onChange={(event) => onHandle(event.target.value)}
      />
    )
  return (
    <div className="welcome-handle">
      <dl translate="no">
        <dt>{t.handle}</dt>
        <dd>@{given}</dd>
      </dl>
      <Button onClick={() => setOpen(true)}>{t.changeHandle}</Button>
    </div>
  )
}

/** Has a link to the log-in page if the card itself is the reason. */
function UseError({ error, isPasskey }: { error: Error; isPasskey: boolean }) {
  const t = useText(welcomeText)
  const formatError = useErrorText()
  const formatPasskeyError = usePasskeyErrors()
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
