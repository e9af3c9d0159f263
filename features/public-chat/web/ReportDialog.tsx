import { ReportForm } from '#features/moderation/web/ReportForm.tsx'
import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { type PublicMessage, publicEndpoints } from '../contract.ts'
import { publicChatText } from './text.ts'

/** A dialog, because the messages would be gone after another page. */
export default function ReportDialog({
  message,
  writer: { user, ...signed },
  onClose,
}: Required<PublicMessage> & { onClose: () => void }) {
  const t = useText(publicChatText)
  return (
    <Dialog open title={t.reportTitle} onClose={onClose}>
      <ReportForm
        help={t.reportHelp}
        onSend={(report) =>
          callEndpoint(publicEndpoints.report, { ...signed, user_id: user.id, message, ...report })
        }
        otherActions={<Button onClick={onClose}>{t.cancel}</Button>}
        renderSent={(sentence) => (
          <>
            <p role="status">{sentence}</p>
            <div className="form-actions">
              <Button onClick={onClose}>{t.close}</Button>
            </div>
          </>
        )}
      />
    </Dialog>
  )
}
