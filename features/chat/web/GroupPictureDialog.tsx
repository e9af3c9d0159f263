import { useIdentityConfirmation } from '#features/account/web/useIdentityConfirmation.tsx'
import '#features/people/web/account-pages.css'
import { useMutation } from '@tanstack/react-query'
import { Image, Trash2 } from 'lucide-react'
import { useId } from 'react'
import { useSquareCropDialog } from '#features/people/web/useSquareCropDialog.tsx'
import { callEndpoint } from '#web/api.ts'
import { isErrorWithStatus, showLogInPromptToast, useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ActionCancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PicturePickerButton } from '#web/ui/PicturePickerButton.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import type { Group } from '../group-contract.ts'
import { groupPictureEndpoints } from '../group-manager-contract.ts'
import { groupPictureDialogText } from './group-picture-text.ts'

function uploadGroupPicture(id: number, file: File) {
  const form = new FormData()
  form.append('image', file)
  return callEndpoint(groupPictureEndpoints.save, { id }, { form })
}

/**
 * Renders the dialog in which a manager changes the picture of a group. The picture is saved as soon as the
 * manager has cut a square out of the chosen file.
 */
export function GroupPictureDialog({ group, onClose }: { group: Group; onClose: () => void }) {
  const t = useText(groupPictureDialogText)
  const explain = useErrorFormatter()
  const { run, dialog: confirmation } = useIdentityConfirmation()
  const helpId = useId()
  const { id, name, picture } = group
  const { mutate, error, isPending } = useMutation({
    mutationFn: (file: File | null) =>
      run(() => (file ? uploadGroupPicture(id, file) : callEndpoint(groupPictureEndpoints.remove, { id }))),
    onSuccess(answer) {
      onClose()
      showToast(answer.picture ? t.saved : t.removed)
    },
    onError: (error) => isErrorWithStatus(error, 401) && showLogInPromptToast(),
  })
  const { choose, unreadable, dialog } = useSquareCropDialog(mutate)
  return (
    <Dialog open title={t.title(name)} onClose={onClose} className="group-dialog">
      <p id={helpId}>{t.help}</p>
      <div className="group-picture-form">
        <Avatar person={{ id, name, profile_image: picture || null }} size="xl" group />
        <div className="cluster">
          <PicturePickerButton
            label={t.choose}
            describedBy={helpId}
            kind="secondary"
            icon={Image}
            disabled={isPending}
            onPick={([file]) => file && void choose(file)}
          >
            {t.choose}
          </PicturePickerButton>
          {picture && (
            <Button icon={Trash2} pending={isPending} onClick={() => mutate(null)}>
              {t.remove}
            </Button>
          )}
        </div>
      </div>
      {unreadable && <Notice kind="error">{unreadable}</Notice>}
      {error && !(error instanceof ActionCancelledError) && <Notice kind="error">{explain(error)}</Notice>}
      <div className="dialog-actions">
        <Button onClick={onClose}>{t.close}</Button>
      </div>
      {dialog}
      {confirmation}
    </Dialog>
  )
}
