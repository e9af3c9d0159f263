import type { Language } from '#core/contract.ts'
import { extensionOf, fileTypes } from '#core/media/file-types.ts'
import { maxFileMb } from '#web/file-limit.ts'
import { randomId } from '#web/id.ts'
import { MAX_FILES } from '../contract.ts'
import { filesText } from './files-text.ts'
import type { PickedPicture } from './prepare-pictures.ts'

/**
 * Returns the files that can be sent, and warnings: one for each other file, and one for all beyond the
 * maximum. `existingCount` files have been chosen before.
 */
export function checkFiles(files: readonly File[], existingCount: number, lang: Language) {
  const t = filesText[lang]
  const warnings: string[] = []
  const picked: PickedPicture[] = []
  let excess = 0
  for (const file of files) {
    if (!fileTypes[extensionOf(file.name)]) warnings.push(t.notAllowed(file.name))
    else if (!file.size) warnings.push(t.empty(file.name))
    else if (file.size > maxFileMb * 2 ** 20) warnings.push(t.tooLarge(file.name, maxFileMb))
    else if (existingCount + picked.length >= MAX_FILES) excess++
    else picked.push({ key: randomId(), file, alt: '' })
  }
  if (excess) warnings.push(t.notAdded(excess, MAX_FILES))
  return { picked, warnings }
}
