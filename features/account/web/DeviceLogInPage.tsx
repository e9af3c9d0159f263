import '#web/ui/form-pages.css'
import { useMutation, useQuery } from '@tanstack/react-query'
import { ApiError, callEndpoint, requestCsrf } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { HeaderAvatars, PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { deviceLinkEndpoints } from '../contract.ts'
import { deviceLinkText } from './device-link-text.ts'
import { useUrlFragment } from './useUrlFragment.ts'

/** For the QR code of another device (see `OtherDeviceButton`). */
export default function DeviceLogInPage() {
  const t = useText(deviceLinkText)
  const token = useUrlFragment()
  return (
    <PageLayout kind="narrow">
      <PageHeader title={t.title}>
        <HeaderAvatars />
      </PageHeader>
      {token ? <DeviceLink key={token} token={token} /> : <WithoutLink error={null} />}
    </PageLayout>
  )
}

async function checkLink(token: string) {
  await requestCsrf()
  return callEndpoint(deviceLinkEndpoints.check, { token })
}

function DeviceLink({ token }: { token: string }) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [deviceLinkEndpoints.check.path, token],
    queryFn: () => checkLink(token),
    // Once: after the log-in, a second check would replace the page by an error. `gcTime` keeps the token out
    // of memory.
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

function WithoutLink({ error }: { error: string | null }) {
  const t = useText(deviceLinkText)
  return (
    <div className="card alone form-card">
      {error ? <Notice kind="error">{error}</Notice> : <p>{t.noCode}</p>}
      <ButtonLink fullWidth href="/login">
        {t.toLogIn}
      </ButtonLink>
    </div>
  )
}

interface Props {
  token: string
  name: string
  handle: string
}

/** Asks first, because somebody could send the link of their own account to another person. */
function LogInQuestion({ token, name, handle }: Props) {
  const t = useText(deviceLinkText)
  const me = useMe()
  const formatError = useErrorText()
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: async () => {
      await requestCsrf()
      return callEndpoint(deviceLinkEndpoints.use, { token })
    },
    // A whole new page, because this one has no data for the member. `replace` takes the token out of the
    // history.
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
