import { useMutation, useQueryClient } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import { callEndpoint } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { healthEndpoints } from '../contract.ts'
import { healthText } from './health-text.ts'

/** Shows nothing if there are none. */
export function RetryMailsButton({ mails }: { mails: number }) {
  const t = useText(healthText)
  const formatError = useErrorText()
  const queries = useQueryClient()
  const { run, dialog } = useConfirmation()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => run(() => callEndpoint(healthEndpoints.retryMails, {})),
    onSuccess: () => queries.invalidateQueries({ queryKey: [healthEndpoints.show.path] }),
  })
  if (!mails && !data) return null
  return (
    <div className="test-mail">
      {mails > 0 && (
        <>
          <p className="text-soft">{t.retryMailsHelp}</p>
          <Button icon={RotateCw} small pending={isPending} onClick={() => mutate()}>
            {t.retryMails}
          </Button>
        </>
      )}
      {data && <Notice kind="success">{t.mailsRetried(data.mails)}</Notice>}
      {error && !(error instanceof CancelledError) && <Notice kind="error">{formatError(error)}</Notice>}
      {dialog}
    </div>
  )
}
