import { allowedNonPictureFileTypesByExtension, getFileExtension } from '#core/stored-file-extensions.ts'
import type { PickedPictureFileAndDescription } from '#features/posts/web/prepare-pictures.ts'
import { maxMessageFileMb } from '#web/file-limit.ts'
import { createRandomId } from '#web/id.ts'
import { MAX_NON_PICTURE_FILES_PER_MESSAGE } from '../contract.ts'
import type { messageFilesText } from './message-files-text.ts'

/**
 * Returns those of the chosen files that can be sent with a message, and warnings about the others: one for
 * each file that is not allowed, empty or too large, and one for all files beyond the maximum number.
 * `existingCount` is the number of files that the user has chosen before.
 */
export function pickSendableMessageFiles(
  files: readonly File[],
  existingCount: number,
  t: (typeof messageFilesText)['en'],
) {
  const warnings: string[] = []
  const picked: PickedPictureFileAndDescription[] = []
  let excess = 0
  for (const file of files) {
    if (!allowedNonPictureFileTypesByExtension[getFileExtension(file.name)])
      warnings.push(t.notAllowed(file.name))
    else if (!file.size) warnings.push(t.empty(file.name))
    else if (file.size > maxMessageFileMb * 2 ** 20) warnings.push(t.tooLarge(file.name, maxMessageFileMb))
    else if (existingCount + picked.length >= MAX_NON_PICTURE_FILES_PER_MESSAGE) excess++
    else picked.push({ key: createRandomId(), file, alt: '' })
  }
  if (excess) warnings.push(t.notAdded(excess, MAX_NON_PICTURE_FILES_PER_MESSAGE))
  return { picked, warnings }
}
