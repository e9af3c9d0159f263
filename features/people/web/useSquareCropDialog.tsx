import { Suspense, useState } from 'react'
import { useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { convertToReadableImage, replaceFileExtensionForConvertedImage } from '#web/ui/image-files.ts'
import { useObjectUrl } from '#web/ui/PicturePickerButton.tsx'
import { signUpLogInAndProfileText } from './account-text.ts'

const CropDialog = lazyWithRetry(() => import('./CropDialog.tsx'))

/**
 * Returns a function that takes a picture file that the person has chosen, the dialog in which the person
 * then cuts a square out of the picture, and an error message if the browser cannot read the file.
 */
export function useSquareCropDialog(onCropped: (picture: File) => void) {
  const t = useText(signUpLogInAndProfileText)
  const [toCrop, setToCrop] = useState<File>()
  const [unreadable, setUnreadable] = useState<string>()
  const choose = async (file: File) => {
    const readable = await convertToReadableImage(file)
    setUnreadable(readable ? undefined : t.notReadable(file.name))
    if (readable) setToCrop(readable)
  }
  const crop = toCrop && <Crop file={toCrop} onCropped={onCropped} onClose={() => setToCrop(undefined)} />
  return { choose, unreadable, dialog: crop }
}

interface CropProps {
  file: File
  onCropped: (picture: File) => void
  onClose: () => void
}
function Crop({ file, onCropped, onClose }: CropProps) {
  const url = useObjectUrl(file)
  const cropped = (picture: Blob) => {
    onCropped(
      new File([picture], replaceFileExtensionForConvertedImage(file.name, picture), { type: picture.type }),
    )
    onClose()
  }
  return <Suspense>{url && <CropDialog url={url} onClose={onClose} onCropped={cropped} />}</Suspense>
}
