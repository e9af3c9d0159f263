import { Suspense, useState } from 'react'
import { useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { convertedName, makeReadable } from '#web/ui/image-files.ts'
import { useObjectUrl } from '#web/ui/PicturePicker.tsx'
import { accountText } from './account-text.ts'

const CropDialog = lazyWithRetry(() => import('./CropDialog.tsx'))

/** `unreadable` is a message if the browser cannot read the chosen file. */
export function useCropDialog(onCropped: (picture: File) => void) {
  const t = useText(accountText)
  const [toCrop, setToCrop] = useState<File>()
  const [unreadable, setUnreadable] = useState<string>()
  const choose = async (file: File) => {
    const readable = await makeReadable(file)
    setUnreadable(readable ? undefined : t.notReadable(file.name))
    if (readable) setToCrop(readable)
  }
  const crop = toCrop && <Crop file={toCrop} onCropped={onCropped} onClose={() => setToCrop(undefined)} />
  return { choose, unreadable, dialog: crop }
}

interface Props {
  file: File
  onCropped: (picture: File) => void
  onClose: () => void
}
function Crop({ file, onCropped, onClose }: Props) {
  const url = useObjectUrl(file)
  const cropped = (picture: Blob) => {
    onCropped(new File([picture], convertedName(file.name, picture), { type: picture.type }))
    onClose()
  }
  return <Suspense>{url && <CropDialog url={url} onClose={onClose} onCropped={cropped} />}</Suspense>
}
