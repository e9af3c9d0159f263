import { useMutation } from '@tanstack/react-query'
import { Image } from 'lucide-react'
import { useId, useState } from 'react'
import { callEndpoint } from '#web/api.ts'
import { isErrorWithStatus, showLogInPromptToast, useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PicturePickerButton } from '#web/ui/PicturePickerButton.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { peopleEndpoints } from '../contract.ts'
import { signUpLogInAndProfileText } from './account-text.ts'
import { useSquareCropDialog } from './useSquareCropDialog.tsx'

/**
 * Returns the chosen profile picture, a function that uploads it, and the state of the upload. The buttons
 * Upload and Save call that function.
 */
export function useProfileImageUpload(onSaved: (patch: { profile_image: string }) => void) {
  const [file, setFile] = useState<File>()
  const { mutateAsync, error, isPending, reset } = useMutation({
    mutationFn: (picture: File) => {
      const form = new FormData()
      form.append('image', picture)
      return callEndpoint(peopleEndpoints.saveProfileImage, {}, { form })
    },
    onSuccess: (answer) => {
      setFile(undefined)
      onSaved(answer)
    },
    onError: (error) => isErrorWithStatus(error, 401) && showLogInPromptToast(),
  })
  /**
   * Uploads the chosen picture. The promise resolves with true if nothing is left to upload. If the upload
   * fails, the promise resolves with false, and `error` is set.
   */
  const upload = async () => {
    if (!file) return true
    return mutateAsync(file).then(
      () => true,
      () => false,
    )
  }
  return { file, setFile, upload, error, isPending, reset }
}

export type UseProfileImageUploadResult = ReturnType<typeof useProfileImageUpload>

/**
 * Renders the form in which a member chooses a profile picture, cuts a square out of it, and uploads the
 * square.
 */
export function ProfileImageForm({ image }: { image: UseProfileImageUploadResult }) {
  const t = useText(signUpLogInAndProfileText)
  const aboutId = useId()
  const explain = useErrorFormatter()
  const { file: chosen, error, isPending, reset } = image
  const upload = async () => {
    if (chosen && !isPending && (await image.upload())) showToast(t.uploaded)
  }
  const { choose, unreadable, dialog } = useSquareCropDialog(image.setFile)
  return (
    <div className="card stack">
      <div className="spread profile-image-form">
        <p>
          <b className="block-label">{t.image}</b>
          <span className="text-meta" id={aboutId}>
            {chosen ? `${chosen.name}, ${formatFileSize(chosen)}` : t.imageHint}
          </span>
        </p>
        <div className="cluster">
          <PicturePickerButton
            label={t.choosePicture}
            describedBy={aboutId}
            kind="secondary"
            icon={Image}
            onPick={([file]) => {
              reset()
              if (file) void choose(file)
            }}
          >
            {t.choose}
          </PicturePickerButton>
          <Button kind={chosen ? 'primary' : 'secondary'} pending={isPending} onClick={upload}>
            {t.upload}
          </Button>
        </div>
      </div>
      {unreadable && <Notice kind="error">{unreadable}</Notice>}
      {error && !isErrorWithStatus(error, 401) && (
        <Notice kind="error">
          {t.imageNotSaved} {explain(error)}
        </Notice>
      )}
      {dialog}
    </div>
  )
}

const formatFileSize = ({ size }: Blob) =>
  size < 1e6 ? `${Math.max(1, Math.round(size / 1e3))} kB` : `${(size / 1e6).toFixed(1)} MB`
