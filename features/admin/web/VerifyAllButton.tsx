import { useQueryClient } from '@tanstack/react-query'
import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { forgetAnswers } from '#web/page-data.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { statisticsKey } from '#web/web-modules.ts'
import { adminEndpoints } from '../contract.ts'
import { useStatistics } from './statistics.ts'
import { adminText } from './text.ts'

/** Where the server sends no mail. Shows nothing if all addresses are verified. */
export function VerifyAllButton({ reload }: { reload: () => Promise<unknown> }) {
  const t = useText(adminText).verifyAll
  const queries = useQueryClient()
  const { run, dialog } = useConfirmation()
  const [asked, setAsked] = useState<number | null>(null)
  const waiting = useStatistics().data?.unverified_addresses ?? 0
  const done = ({ addresses }: { addresses: number }) => {
    forgetAnswers()
    queries.invalidateQueries({ queryKey: statisticsKey })
    reload()
    showToast(t.done(addresses))
  }
  if (!waiting && asked === null) return null
  return (
    <>
      <Button small className="wraps" icon={MailCheck} onClick={() => setAsked(waiting)}>
        {t.button(waiting)}
      </Button>
      {asked !== null && (
        <ConfirmDialog
          title={t.title(asked)}
          confirmLabel={t.verb}
          onConfirm={() => run(() => callEndpoint(adminEndpoints.verifyAll, {}))}
          onDone={done}
          onClose={() => setAsked(null)}
        >
          {t.help}
        </ConfirmDialog>
      )}
      {dialog}
    </>
  )
}
