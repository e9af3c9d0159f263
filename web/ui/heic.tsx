import { heicTo } from 'heic-to/csp'
import { defineTexts, useText } from '#web/i18n.ts'
import { showToast } from '#web/ui/Toasts.tsx'

// Only Safari reads HEIC by itself. The decoder has 3 MB (0.5 MB compressed), so it is loaded with the first
// such picture.

const texts = defineTexts({
  en: { converting: 'Converting the picture…' },
  ja: { converting: '画像を変換しています…' },
})

const ConvertingNote = () => useText(texts).converting

/** Upright; null if damaged. A worker keeps the page responsive. The caller has to close the bitmap. */
export async function decodeHeic(file: Blob): Promise<ImageBitmap | null> {
  const closeNote = showToast(<ConvertingNote />, { key: 'heic' })
  try {
    return await heicTo({ blob: file, type: 'bitmap' })
  } catch {
    // The text of the error is for developers. The caller tells the member what to do.
    return null
  } finally {
    closeNote()
  }
}
