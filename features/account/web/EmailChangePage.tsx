import '#web/ui/form-pages.css'
import { useMutation } from '@tanstack/react-query'
import { callEndpoint } from '#web/api.ts'
import { hasStatus, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { useMe, useRefetchMe } from '#web/me.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { HeaderAvatars, PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { accountEndpoints } from '../contract.ts'
import { accountPageText } from './text.ts'

/**
 * `#verify=TOKEN` or `#undo=TOKEN`, otherwise null. Browsers do not send the fragment to servers, so no log
 * contains the token.
 */
function readLink() {
  const [action, token] = location.hash.slice(1).split('=')
  if (!token || (action !== 'verify' && action !== 'undo')) return null
  return { action, token } as const
}

/** For the links of mails. */
export default function EmailChangePage() {
  const t = useText(accountPageText)
  const link = readLink()
  return (
    <PageLayout kind="narrow">
      <PageHeader title={t.emailTitle}>
        <HeaderAvatars />
      </PageHeader>
      <div className="card alone form-card">{link ? <ChangeButton {...link} /> : <BadLink />}</div>
    </PageLayout>
  )
}

function BadLink() {
  const t = useText(accountPageText)
  return (
    <>
      <Notice kind="error">{t.badLink}</Notice>
      <WayOut />
    </>
  )
}

function WayOut() {
  const t = useText(accountPageText)
  const me = useMe()
  return (
    <ButtonLink fullWidth href={me ? '/account' : '/login'}>
      {me ? t.toAccount : t.toLogIn}
    </ButtonLink>
  )
}

function ChangeButton({ action, token }: { action: 'verify' | 'undo'; token: string }) {
  const t = useText(accountPageText)
  const formatError = useErrorText()
  const refetchMe = useRefetchMe()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () =>
      action === 'verify'
        ? callEndpoint(accountEndpoints.verifyEmailChange, { token })
        : callEndpoint(accountEndpoints.undoEmailChange, { token }),
    onSuccess: () => refetchMe(),
  })
  if (data)
    return (
      <>
        <Notice kind="success">{data.message}</Notice>
        {action === 'undo' ? (
          // The undo has made the old password unusable.
          <ButtonLink kind="primary" fullWidth href="/forgot-password">
            {t.setPassword}
          </ButtonLink>
        ) : (
          <WayOut />
        )}
      </>
    )
  // The link will never become valid.
  if (hasStatus(error, 403)) return <BadLink />
  return (
    <>
      <p>{action === 'verify' ? t.verifyEmailHelp : t.undoEmailHelp}</p>
      <Button
        kind={action === 'verify' ? 'primary' : 'danger-filled'}
        fullWidth
        pending={isPending}
        onClick={() => mutate()}
      >
        {action === 'verify' ? t.verifyEmail : t.undoEmail}
      </Button>
      {/* Below the button, so that it does not move under the pointer. */}
      {error && <Notice kind="error">{formatError(error)}</Notice>}
    </>
  )
}
