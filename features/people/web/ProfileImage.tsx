import { useMutation } from '@tanstack/react-query'
import { Image } from 'lucide-react'
import { lazy, Suspense, useEffect, useId, useState } from 'react'
import { api } from '#web/api.ts'
import { isHttpError, pleaseLogIn, useExplain } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { toast } from '#web/ui/Toasts.tsx'
import { people } from '../contract.ts'
import { accountText } from './account-text.ts'

const CropDialog = lazy(() => import('./CropDialog.tsx'))

interface ProfileImageProps {
  /** Gets the address of a picture that is chosen and not uploaded yet. */
  onPreview: (url: string | null) => void
  onSaved: (patch: { profile_image: string }) => void
}

export function ProfileImage({ onPreview, onSaved }: ProfileImageProps) {
  const t = useText(accountText)
  const explain = useExplain()
  const id = useId()
  const [toCrop, setToCrop] = useState<{ file: File; url: string } | null>(null)
  const [unreadable, setUnreadable] = useState<string | null>(null)
  const [chosen, setChosen] = useState<{ name: string; picture: Blob } | null>(null)
  useObjectUrl(chosen?.picture ?? null, onPreview)

  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: ({ name, picture }: { name: string; picture: Blob }) => {
      const form = new FormData()
      form.append('image', picture, name)
      return api(people.saveProfileImage, {}, { form })
    },
    onSuccess: (answer) => {
      setChosen(null)
      onSaved(answer)
      toast(t.uploaded)
    },
    onError: (error) => isHttpError(error, 401) && pleaseLogIn(),
  })
  const choose = async (file: File | undefined) => {
    if (!file) return
    reset()
    const url = URL.createObjectURL(file)
    const isReadable = await canRead(url)
    setUnreadable(isReadable ? null : file.name)
    if (isReadable) setToCrop({ file, url })
    else URL.revokeObjectURL(url)
  }
  const closeCrop = () => {
    if (toCrop) URL.revokeObjectURL(toCrop.url)
    setToCrop(null)
  }
  return (
    <div className="board stack">
      <div className="settle">
        <p>
          <b className="strong">{t.image}</b>
          <span className="meta" id={`${id}-about`}>
            {chosen ? `${chosen.name}, ${sizeOf(chosen.picture)}` : t.imageHint}
          </span>
        </p>
        <div className="line-up">
          <input
            className="hide"
            type="file"
            id={id}
            accept="image/*"
            aria-label={t.choosePicture}
            aria-describedby={`${id}-about`}
            onChange={(event) => {
              choose(event.target.files?.[0])
              // Without this, choosing the same file again would send no event.
              event.target.value = ''
            }}
          />
          <label className="button quiet" htmlFor={id}>
            <Icon of={Image} />
            {t.choose}
          </label>
          <Button
            kind={chosen ? 'primary' : 'quiet'}
            pending={isPending}
            onClick={() => chosen && mutate(chosen)}
          >
            {t.upload}
          </Button>
        </div>
      </div>
      {unreadable && <Notice kind="bad">{t.notReadable(unreadable)}</Notice>}
      {error && <Notice kind="bad">{explain(error)}</Notice>}
      {toCrop && (
        <Suspense>
          <CropDialog
            url={toCrop.url}
            onClose={closeCrop}
            onCropped={(picture) => {
              setChosen({
                name: toCrop.file.name.replace(/\.\w+$/, picture.type === 'image/webp' ? '.webp' : '.jpg'),
                picture,
              })
              closeCrop()
            }}
          />
        </Suspense>
      )}
    </div>
  )
}

const canRead = (url: string) => {
  const image = new window.Image()
  image.src = url
  return image.decode().then(
    () => true,
    () => false,
  )
}

const sizeOf = ({ size }: Blob) =>
  size < 1e6 ? `${Math.max(1, Math.round(size / 1e3))} kB` : `${(size / 1e6).toFixed(1)} MB`

function useObjectUrl(blob: Blob | null, tell: (url: string | null) => void) {
  useEffect(() => {
    if (!blob) return
    const url = URL.createObjectURL(blob)
    tell(url)
    return () => {
      tell(null)
      URL.revokeObjectURL(url)
    }
  }, [blob, tell])
}
