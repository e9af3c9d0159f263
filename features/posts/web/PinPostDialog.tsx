import { useState } from 'react'
import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { postPinEndpoints } from '../pin-contract.ts'
import { pinPostDialogText } from './pin-post-text.ts'

/**
 * Renders the dialog that asks an admin whether to pin a post for the community, and whether to tell
 * everyone of it. The code of the dialog is loaded when it opens for the first time.
 */
export default function PinPostDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const t = useText(pinPostDialogText)
  const [tellsEveryone, setTellsEveryone] = useState(false)
  return (
    <ConfirmDialog
      title={t.title}
      confirmLabel={t.pin}
      onConfirm={() =>
        callEndpoint(postPinEndpoints.pin, { id, ...(tellsEveryone && { tell_everyone: true }) })
      }
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
