import type { Language } from '#core/contract.ts'
import { extensionOf, fileTypes, kindOf } from '#core/media/file-types.ts'
import { maxFileMb, maxVideoMb } from '#web/file-limit.ts'
import { randomId } from '#web/id.ts'
import { MAX_FILES } from '../contract.ts'
import { filesText } from './files-text.ts'
import type { PickedPicture } from './prepare-pictures.ts'
import { previewOf } from './previews.ts'

const isVideo = ({ name }: File) => maxVideoMb > 0 && kindOf(name) === 'video'

/**
 * Resolves with the files that can be sent, and warnings: one for each other file, and one for all beyond the
 * maximum. `existingCount` files have been chosen before. Videos lose their place; previews begin to be drawn.
 */
export async function pickFiles(files: readonly File[], existingCount: number, lang: Language) {
  const t = filesText[lang]
  const warnings: string[] = []
  const picked: PickedPicture[] = []
  let excess = 0
  for (const file of files) {
    if (!fileTypes[extensionOf(file.name)]) warnings.push(t.notAllowed(file.name))
    else if (!file.size) warnings.push(t.empty(file.name))
    else if (existingCount + picked.length >= MAX_FILES) excess++
    else {
      const checked = await check(file, lang)
      if (typeof checked === 'string') warnings.push(checked)
      else if (checked) {
        void previewOf(checked)
        picked.push({ key: randomId(), file: checked, alt: '' })
      }
    }
  }
  if (excess) warnings.push(t.notAdded(excess, MAX_FILES))
  return { picked, warnings }
}

/** The file as it can be sent, or the reason why it cannot. Null if the member has cancelled it. */
async function check(file: File, lang: Language) {
  const t = filesText[lang]
  if (!isVideo(file)) return file.size > maxFileMb * 2 ** 20 ? t.tooLarge(file.name, maxFileMb) : file
  const { prepareVideo } = await import('./video.tsx')
  const prepared = await prepareVideo(file, lang)
  if (prepared === 'cancelled') return null
  if (prepared === 'unreadable') return t.unreadable(file.name)
  return prepared === 'too large' ? t.tooLong(file.name, maxVideoMb) : prepared
}
