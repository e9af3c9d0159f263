import { detectLanguageOfUserText } from '#web/i18n.ts'
import { useObjectUrl } from '#web/ui/PicturePickerButton.tsx'

/** Renders a chosen picture from its file, before the picture is uploaded. */
export function PicturePreview({ file, alt }: { file: File; alt: string }) {
  const url = useObjectUrl(file)
  return url && <img src={url} alt={alt} lang={detectLanguageOfUserText(alt)} draggable={false} />
}
