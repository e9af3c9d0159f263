import { useMutation } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import { callEndpoint } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { healthEndpoints } from '../contract.ts'
import { healthText } from './health-text.ts'

export function TestMailButton() {
  const t = useText(healthText)
  const formatError = useErrorText()
  const { run, dialog } = useConfirmation()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => run(() => callEndpoint(healthEndpoints.testMail, {})),
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
            {t.mailAnswer}
            <code lang="en">{data.answer}</code>
          </p>
        </>
      )}
      {error && !(error instanceof CancelledError) && <Notice kind="error">{formatError(error)}</Notice>}
      {dialog}
    </div>
  )
}
