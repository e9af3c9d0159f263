import { detectLanguage } from '#web/i18n.ts'
import { useObjectUrl } from '#web/ui/PicturePicker.tsx'

/** Before the upload. */
export function PicturePreview({ file, alt }: { file: File; alt: string }) {
  const url = useObjectUrl(file)
  return url && <img src={url} alt={alt} lang={detectLanguage(alt)} draggable={false} />
}
