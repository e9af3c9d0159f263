import '#features/people/web/account-pages.css'
import { useMutation } from '@tanstack/react-query'
import { callEndpoint } from '#web/api.ts'
import { isErrorWithStatus, useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { useMe, useRefetchMe } from '#web/me.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { DecorativeAvatars, PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { accountEndpoints } from '../contract.ts'
import { accountPageText } from './text.ts'

/**
 * Reads the action and the token from the URL of a link in a mail: `#verify=TOKEN` or `#undo=TOKEN`. Returns
 * null for another fragment. Browsers do not send the fragment to servers, so no log of a server contains the
 * token.
 */
function readLink() {
  const [action, token] = location.hash.slice(1).split('=')
  if (!token || (action !== 'verify' && action !== 'undo')) return null
  return { action, token } as const
}

/**
 * Renders the page that a mail about a change of the e-mail address links to. A button on the page completes
 * the change or undoes it.
 */
export default function EmailChangePage() {
  const t = useText(accountPageText)
  const link = readLink()
  return (
    <PageLayout kind="narrow">
      <PageHeader title={t.emailTitle}>
        <DecorativeAvatars />
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

/** Renders a link to the account page or, for visitors, to the log-in page. */
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
  const formatError = useErrorFormatter()
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
          // Links to the page that requests a new password, because undoing the change has made the old
          // password unusable.
          <ButtonLink kind="primary" fullWidth href="/forgot-password">
            {t.setPassword}
          </ButtonLink>
        ) : (
          <WayOut />
        )}
      </>
    )
  // Shows no button after a 403 response, because the link of the mail will never become valid.
  if (isErrorWithStatus(error, 403)) return <BadLink />
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
      {/* The page shows the error below the button, so that the button does not move under the pointer. */}
      {error && <Notice kind="error">{formatError(error)}</Notice>}
    </>
  )
}
