import { useMutation } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { useIdentityConfirmation } from '#features/account/web/useIdentityConfirmation.tsx'
import { callEndpoint } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { ActionCancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { adminHealthEndpoints } from '../health-contract.ts'
import { adminHealthPageText } from './health-text.ts'

/** Renders the button that sends a test mail to the admin, and the answer of the mail server. */
export function TestMailButton() {
  const t = useText(adminHealthPageText)
  const formatError = useErrorFormatter()
  const { run, dialog } = useIdentityConfirmation()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => run(() => callEndpoint(adminHealthEndpoints.testMail, {})),
  })
  return (
    <div className="test-mail">
      <p className="text-soft">{t.testMailHelp}</p>
      <Button icon={Send} small pending={isPending} onClick={() => mutate()}>
        {t.sendTestMail}
      </Button>
      {data && (
        <>
          <Notice kind={data.accepted ? 'success' : 'error'}>
            {data.accepted ? t.mailAccepted : t.mailRefused}
          </Notice>
          <p>
            {t.mailAnswer} <code lang="en">{data.answer}</code>
          </p>
        </>
      )}
      {error && !(error instanceof ActionCancelledError) && (
        <Notice kind="error">{formatError(error)}</Notice>
      )}
      {dialog}
    </div>
  )
}
