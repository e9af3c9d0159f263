import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import { pictureEndpoints } from '#features/registration/contract.ts'
import { CommunityPicturePicker, uploadPicture } from '#features/registration/web/CommunityPicturePicker.tsx'
import { pictureText } from '#features/registration/web/text.ts'
import { callEndpoint } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { pageData } from '#web/page-data.ts'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import type { AdminSettings } from '../contract.ts'
import { settingsKey } from './useSetting.ts'

/** A picture is saved as soon as it is chosen. */
export function PictureSetting({ saved }: { saved: string | null }) {
  const t = useText(pictureText)
  const explain = useErrorText()
  const client = useQueryClient()
  const { run, dialog } = useConfirmation()
  const { mutate, isPending } = useMutation({
    mutationFn: (file: File | null) =>
      run(() => (file ? uploadPicture(file) : callEndpoint(pictureEndpoints.remove, {}))),
    onSuccess({ picture }) {
      client.setQueryData<AdminSettings>(settingsKey, (state) => state && { ...state, picture })
      if (picture) pageData.app.picture = picture
      else delete pageData.app.picture
      showToast(picture ? t.pictureSaved : t.pictureRemoved)
    },
    onError(error) {
      if (!(error instanceof CancelledError)) showToast(explain(error), { kind: 'error' })
    },
  })
  return (
    <div className="card setting">
      <CommunityPicturePicker url={saved ?? ''} disabled={isPending} onPick={mutate}>
        {saved && (
          <Button icon={Trash2} pending={isPending} onClick={() => mutate(null)}>
            {t.removePicture}
          </Button>
        )}
      </CommunityPicturePicker>
      {dialog}
    </div>
  )
}
