import { useMutation } from '@tanstack/react-query'
import { Image } from 'lucide-react'
import { lazy, Suspense, useId, useState } from 'react'
import { api } from '#web/api.ts'
import { isHttpError, pleaseLogIn, useExplain } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PicturePicker, useObjectUrl } from '#web/ui/PicturePicker.tsx'
import { decode, renamed } from '#web/ui/pictures.ts'
import { toast } from '#web/ui/Toasts.tsx'
import { people } from '../contract.ts'
import { accountText } from './account-text.ts'

const CropDialog = lazy(() => import('./CropDialog.tsx'))

/** A chosen picture, which the buttons Upload and Save send. */
export function useImageUpload(onSaved: (patch: { profile_image: string }) => void) {
  const [chosen, choose] = useState<File>()
  const { mutateAsync, error, isPending, reset } = useMutation({
    mutationFn: (picture: File) => {
      const form = new FormData()
      form.append('image', picture)
      return api(people.saveProfileImage, {}, { form })
    },
    onSuccess: (answer) => {
      choose(undefined)
      onSaved(answer)
    },
    onError: (error) => isHttpError(error, 401) && pleaseLogIn(),
  })
  /** Resolves with whether nothing is left to be sent. A failure is in `error`. */
  const upload = async () => {
    if (!chosen) return true
    return mutateAsync(chosen).then(
      () => true,
      () => false,
    )
  }
  return { chosen, choose, upload, error, isPending, reset }
}

export type ImageUpload = ReturnType<typeof useImageUpload>

/** Chooses a picture, cuts a square out of it, and uploads that. */
export function ProfileImage({ image }: { image: ImageUpload }) {
  const t = useText(accountText)
  const aboutId = useId()
  const explain = useExplain()
  const { chosen, error, isPending, reset } = image
  const upload = async () => {
    if (chosen && !isPending && (await image.upload())) toast(t.uploaded)
  }
  const [toCrop, setToCrop] = useState<File>()
  const [unreadable, setUnreadable] = useState<string>()
  const choose = async (file: File) => {
    reset()
    const bitmap = await decode(file)
    bitmap?.close()
    setUnreadable(bitmap ? undefined : file.name)
    if (bitmap) setToCrop(file)
  }
  return (
    <div className="board stack">
      <div className="settle about-image">
        <p>
          <b className="strong">{t.image}</b>
          <span className="meta" id={aboutId}>
            {chosen ? `${chosen.name}, ${sizeOf(chosen)}` : t.imageHint}
          </span>
        </p>
        <div className="line-up">
          <PicturePicker
            label={t.choosePicture}
            describedBy={aboutId}
            kind="quiet"
            icon={Image}
            onPick={([file]) => file && choose(file)}
          >
            {t.choose}
          </PicturePicker>
          <Button kind={chosen ? 'primary' : 'quiet'} pending={isPending} onClick={upload}>
            {t.upload}
          </Button>
        </div>
      </div>
      {unreadable && <Notice kind="bad">{t.notReadable(unreadable)}</Notice>}
      {error && !isHttpError(error, 401) && (
        <Notice kind="bad">
          {t.imageNotSaved} {explain(error)}
        </Notice>
      )}
      {toCrop && <Crop file={toCrop} onCropped={image.choose} onClose={() => setToCrop(undefined)} />}
    </div>
  )
}

interface CropProps {
  file: File
  onCropped: (picture: File) => void
  onClose: () => void
}
function Crop({ file, onCropped, onClose }: CropProps) {
  const url = useObjectUrl(file)
  const cropped = (picture: Blob) => {
    onCropped(new File([picture], renamed(file.name, picture), { type: picture.type }))
    onClose()
  }
  return <Suspense>{url && <CropDialog url={url} onClose={onClose} onCropped={cropped} />}</Suspense>
}

const sizeOf = ({ size }: Blob) =>
  size < 1e6 ? `${Math.max(1, Math.round(size / 1e3))} kB` : `${(size / 1e6).toFixed(1)} MB`
