import '#features/people/web/account-pages.css'
import { useMutation, useQuery } from '@tanstack/react-query'
import { ApiError, callEndpoint, requestCsrfTokenCookie } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { DecorativeAvatars, PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { deviceLogInLinkEndpoints } from '../device-link-contract.ts'
import { deviceLogInLinkText } from './device-link-text.ts'
import { useUrlFragment } from './useUrlFragment.ts'

/**
 * Renders the page that a person opens by scanning the QR code on another device (see
 * `LogInOtherDeviceButton`). The page asks who the person is, and then logs this device in as the member who
 * created the QR code.
 */
export default function DeviceLogInPage() {
  const t = useText(deviceLogInLinkText)
  const token = useUrlFragment()
  return (
    <PageLayout kind="narrow">
      <PageHeader title={t.title}>
        <DecorativeAvatars />
      </PageHeader>
      {token ? <DeviceLink key={token} token={token} /> : <WithoutLink error={null} />}
    </PageLayout>
  )
}

async function checkLink(token: string) {
  await requestCsrfTokenCookie()
  return callEndpoint(deviceLogInLinkEndpoints.check, { token })
}

/**
 * Checks the device link, then renders the question whether the person at this device is the member who
 * created the link.
 */
function DeviceLink({ token }: { token: string }) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [deviceLogInLinkEndpoints.check.path, token],
    queryFn: () => checkLink(token),
    // Checks the device link only once: after the log-in has used the link, a second check would replace the
    // page by an error. `gcTime` keeps the token out of memory afterwards.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  if (data) return <LogInQuestion token={token} {...data} />
  if (error instanceof ApiError && error.status === 422)
    return <WithoutLink error={error.errors.token?.[0] ?? error.message} />
  if (error) return <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
  return <LoadingText />
}

/** Renders a card that says where a member creates a device link, or why the opened link does not work. */
function WithoutLink({ error }: { error: string | null }) {
  const t = useText(deviceLogInLinkText)
  return (
    <div className="card alone form-card">
      {error ? <Notice kind="error">{error}</Notice> : <p>{t.noCode}</p>}
      <ButtonLink fullWidth href="/login">
        {t.toLogIn}
      </ButtonLink>
    </div>
  )
}

interface LogInQuestionProps {
  token: string
  name: string
  handle: string
}

/**
 * Renders a question with a button that logs this device in. The page asks first, because somebody could send
 * the link of their own account to another person.
 */
function LogInQuestion({ token, name, handle }: LogInQuestionProps) {
  const t = useText(deviceLogInLinkText)
  const me = useMe()
  const formatError = useErrorFormatter()
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: async () => {
      await requestCsrfTokenCookie()
      return callEndpoint(deviceLogInLinkEndpoints.use, { token })
    },
    // Loads a whole new page, because the current page has no data for the member. `replace` takes the URL
    // with the token out of the browser's history.
    onSuccess: () => location.replace('/'),
  })
  const isWaiting = isPending || isSuccess
  const tokenError = error instanceof ApiError ? error.errors.token?.[0] : undefined
  if (tokenError) return <WithoutLink error={tokenError} />
  return (
    <div className="card alone form-card">
      <h2 dir="auto">{t.hello(name)}</h2>
      <p className="text-meta" translate="no">
        @{handle}
      </p>
      {me && me.handle !== handle && <Notice kind="warning">{t.loggedIn(me.name)}</Notice>}
      <p>{t.notYou}</p>
      <Button kind="primary" fullWidth pending={isWaiting} onClick={() => !isWaiting && mutate()}>
        {t.logIn}
      </Button>
      {isSuccess && <Notice kind="success">{t.success}</Notice>}
      {error && <Notice kind="error">{formatError(error)}</Notice>}
    </div>
  )
}
