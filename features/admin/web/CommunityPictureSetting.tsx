import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useIdentityConfirmation } from '#features/account/web/useIdentityConfirmation.tsx'
import { communityPictureEndpoints } from '#features/registration/community-picture-contract.ts'
import {
  CommunityPicturePicker,
  uploadCommunityPicture,
} from '#features/registration/web/CommunityPicturePicker.tsx'
import { communityPictureText } from '#features/registration/web/community-picture-text.ts'
import { callEndpoint } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { initialPageData } from '#web/page-data.ts'
import { Button } from '#web/ui/Button.tsx'
import { ActionCancelledError } from '#web/ui/ConfirmDialog.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import type { AdminCommunitySettingsResponse } from '../contract.ts'
import { adminCommunitySettingsQueryKey } from './useCommunitySetting.ts'

/** Renders the setting for the picture of the community. A picture is saved as soon as it is chosen. */
export function CommunityPictureSetting({ saved }: { saved: string | null }) {
  const t = useText(communityPictureText)
  const explain = useErrorFormatter()
  const client = useQueryClient()
  const { run, dialog } = useIdentityConfirmation()
  const { mutate, isPending } = useMutation({
    mutationFn: (file: File | null) =>
      run(() => (file ? uploadCommunityPicture(file) : callEndpoint(communityPictureEndpoints.remove, {}))),
    onSuccess({ picture }) {
      client.setQueryData<AdminCommunitySettingsResponse>(
        adminCommunitySettingsQueryKey,
        (state) => state && { ...state, picture },
      )
      if (picture) initialPageData.app.picture = picture
      else delete initialPageData.app.picture
      showToast(picture ? t.pictureSaved : t.pictureRemoved)
    },
    onError(error) {
      if (!(error instanceof ActionCancelledError)) showToast(explain(error), { kind: 'error' })
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
