import { heicTo } from 'heic-to/csp'
import { defineTexts, useText } from '#web/i18n.ts'
import { showToast } from '#web/ui/Toasts.tsx'

// This file decodes HEIC pictures, which only Safari reads by itself. The file with the decoder has 3 MB (0.5
// MB compressed), so the browser loads it with the first such picture.

const texts = defineTexts({
  en: { converting: 'Converting the picture…' },
  ja: { converting: '画像を変換しています…' },
})

const ConvertingNote = () => useText(texts).converting

/**
 * Returns a HEIC picture as an upright bitmap, or null if the picture is damaged. The decoder runs in a
 * worker, so the page stays responsive. The caller has to close the bitmap.
 */
export async function decodeHeicPictureToBitmap(file: Blob): Promise<ImageBitmap | null> {
  const closeNote = showToast(<ConvertingNote />, { key: 'heic' })
  try {
    return await heicTo({ blob: file, type: 'bitmap' })
  } catch {
    // Ignores the text of the error, which is for developers. The caller tells the member what to do.
    return null
  } finally {
    closeNote()
  }
}
