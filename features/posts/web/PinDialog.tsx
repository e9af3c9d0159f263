import { useState } from 'react'
import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { pinEndpoints } from '../contract.ts'
import { pinPostText } from './menu-text.ts'

/** For admins. Pins for the community. */
export default function PinDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const t = useText(pinPostText)
  const [tellsEveryone, setTellsEveryone] = useState(false)
  return (
    <ConfirmDialog
      title={t.title}
      confirmLabel={t.pin}
      onConfirm={() => callEndpoint(pinEndpoints.pin, { id, ...(tellsEveryone && { tell_everyone: true }) })}
      onDone={({ message }) => showToast(message, { key: 'pin' })}
      onClose={onClose}
    >
      <label className="check">
        <input
          type="checkbox"
          checked={tellsEveryone}
          onChange={(event) => setTellsEveryone(event.target.checked)}
        />
        {t.tellEveryone}
      </label>
      <span className="text-soft">{t.tellEveryoneHelp}</span>
    </ConfirmDialog>
  )
}
