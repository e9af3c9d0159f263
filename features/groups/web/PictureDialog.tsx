import './group-dialog.css'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import '#web/ui/form-pages.css'
import { useMutation } from '@tanstack/react-query'
import { Image, Trash2 } from 'lucide-react'
import { useId } from 'react'
import { useCropDialog } from '#features/people/web/useCropDialog.tsx'
import { callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PicturePicker } from '#web/ui/PicturePicker.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { type Group, pictureEndpoints } from '../contract.ts'
import { pictureText } from './text.ts'

function uploadGroupPicture(id: number, file: File) {
  const form = new FormData()
  form.append('image', file)
  return callEndpoint(pictureEndpoints.save, { id }, { form })
}

/** The picture is saved as soon as the manager has cut a square out of it. */
export function PictureDialog({ group, onClose }: { group: Group; onClose: () => void }) {
  const t = useText(pictureText)
  const explain = useErrorText()
  const { run, dialog: confirmation } = useConfirmation()
  const helpId = useId()
  const { id, name, picture } = group
  const { mutate, error, isPending } = useMutation({
    mutationFn: (file: File | null) =>
      run(() => (file ? uploadGroupPicture(id, file) : callEndpoint(pictureEndpoints.remove, { id }))),
    onSuccess(answer) {
      onClose()
      showToast(answer.picture ? t.saved : t.removed)
    },
    onError: (error) => hasStatus(error, 401) && showLogInToast(),
  })
  const { choose, unreadable, dialog } = useCropDialog(mutate)
  return (
    <Dialog open title={t.title(name)} onClose={onClose} className="group-dialog">
      <p id={helpId}>{t.help}</p>
      <div className="group-picture-form">
        <Avatar person={{ id, name, profile_image: picture || null }} size="xl" group />
        <div className="cluster">
          <PicturePicker
            label={t.choose}
            describedBy={helpId}
            kind="secondary"
            icon={Image}
            disabled={isPending}
            onPick={([file]) => file && void choose(file)}
          >
            {t.choose}
          </PicturePicker>
          {picture && (
            <Button icon={Trash2} pending={isPending} onClick={() => mutate(null)}>
              {t.remove}
            </Button>
          )}
        </div>
      </div>
      {unreadable && <Notice kind="error">{unreadable}</Notice>}
      {error && !(error instanceof CancelledError) && <Notice kind="error">{explain(error)}</Notice>}
      <div className="dialog-actions">
        <Button onClick={onClose}>{t.close}</Button>
      </div>
      {dialog}
      {confirmation}
    </Dialog>
  )
}
