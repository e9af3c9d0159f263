import { ReportForm } from '#features/moderation/web/ReportForm.tsx'
import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { type PublicChatMessage, publicChatEndpoints } from '../contract.ts'
import { publicChatText } from './text.ts'

/**
 * Renders the dialog that reports a message of the public chat. It is a dialog and no page of its own,
 * because the messages would be gone after another page.
 */
export default function ReportPublicMessageDialog({
  message,
  writer: { user, ...signed },
  onClose,
}: Required<PublicChatMessage> & { onClose: () => void }) {
  const t = useText(publicChatText)
  return (
    <Dialog open title={t.reportTitle} onClose={onClose}>
      <ReportForm
        help={t.reportHelp}
        onSend={(report) =>
          callEndpoint(publicChatEndpoints.report, { ...signed, user_id: user.id, message, ...report })
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
