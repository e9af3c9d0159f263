import { useMutation } from '@tanstack/react-query'
import { Image } from 'lucide-react'
import { useId, useState } from 'react'
import { formatBytes } from '#core/text/format-bytes.ts'
import { callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useLang, useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PicturePicker } from '#web/ui/PicturePicker.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { peopleEndpoints } from '../contract.ts'
import { accountText } from './account-text.ts'
import { useCropDialog } from './useCropDialog.tsx'

/** The buttons Upload and Save share it. */
export function useImageUpload(onSaved: (patch: { profile_image: string }) => void) {
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
    onError: (error) => hasStatus(error, 401) && showLogInToast(),
  })
  /** True if nothing is left to upload; false, with `error` set, if it failed. */
  const upload = async () => {
    if (!file) return true
    return mutateAsync(file).then(
      () => true,
      () => false,
    )
  }
  return { file, setFile, upload, error, isPending, reset }
}

export type ImageUpload = ReturnType<typeof useImageUpload>

export function ProfileImageForm({ image }: { image: ImageUpload }) {
  const t = useText(accountText)
  const lang = useLang()
  const aboutId = useId()
  const explain = useErrorText()
  const { file: chosen, error, isPending, reset } = image
  const upload = async () => {
    if (chosen && !isPending && (await image.upload())) showToast(t.uploaded)
  }
  const { choose, unreadable, dialog } = useCropDialog(image.setFile)
  return (
    <div className="card stack">
      <div className="spread profile-image-form">
        <p>
          <b className="block-label">{t.image}</b>
          <span className="text-meta" id={aboutId}>
            {chosen ? `${chosen.name}, ${formatBytes(chosen.size, lang)}` : t.imageHint}
          </span>
        </p>
        <div className="cluster">
          <PicturePicker
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
          </PicturePicker>
          <Button kind={chosen ? 'primary' : 'secondary'} pending={isPending} onClick={upload}>
            {t.upload}
          </Button>
        </div>
      </div>
      {unreadable && <Notice kind="error">{unreadable}</Notice>}
      {error && !hasStatus(error, 401) && (
        <Notice kind="error">
          {t.imageNotSaved} {explain(error)}
        </Notice>
      )}
      {dialog}
    </div>
  )
}
