import { useState } from 'react'
import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { acknowledgementEndpoints } from '../contract.ts'
import { setState } from './acknowledgement-store.ts'
import { acknowledgementText } from './text.ts'

export function RemindDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const t = useText(acknowledgementText)
  const [urgent, setUrgent] = useState(false)
  return (
    <ConfirmDialog
      title={t.remindAsk}
      confirmLabel={t.remind}
      onConfirm={() => callEndpoint(acknowledgementEndpoints.remind, { id, urgent })}
      onDone={(state) => {
        setState(id, state)
        showToast(t.reminded)
      }}
      onClose={onClose}
    >
      {t.remindHelp}
      <label className="check urgent-choice">
        <input type="checkbox" checked={urgent} onChange={(event) => setUrgent(event.target.checked)} />
        <span>{t.urgent}</span>
      </label>
    </ConfirmDialog>
  )
}
