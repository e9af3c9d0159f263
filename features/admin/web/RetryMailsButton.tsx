import { useMutation, useQueryClient } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { useIdentityConfirmation } from '#features/account/web/useIdentityConfirmation.tsx'
import { callEndpoint } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { ActionCancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { adminHealthEndpoints } from '../health-contract.ts'
import { adminHealthPageText } from './health-text.ts'

/** Renders the button that sends the mails again that were given up; nothing if there are none. */
export function RetryMailsButton({ mails }: { mails: number }) {
  const t = useText(adminHealthPageText)
  const formatError = useErrorFormatter()
  const queries = useQueryClient()
  const { run, dialog } = useIdentityConfirmation()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => run(() => callEndpoint(adminHealthEndpoints.retryMails, {})),
    onSuccess: () => queries.invalidateQueries({ queryKey: [adminHealthEndpoints.show.path] }),
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
      {error && !(error instanceof ActionCancelledError) && (
        <Notice kind="error">{formatError(error)}</Notice>
      )}
      {dialog}
    </div>
  )
}
