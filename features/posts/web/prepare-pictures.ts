import { type ClipboardEvent, type DragEvent, useState } from 'react'
import { createRandomId } from '#web/id.ts'
import { maxPictureMb, preparePictureForUploadOrReturnReason } from '#web/ui/image-files.ts'
import type { postComposerText } from './composer-text.ts'
import { configuredMaxPictureCount } from './limits.ts'

/**
 * A picture that the member has chosen for a post, reply or message. `alt` is its description for people who
 * cannot see it.
 */
export interface PickedPictureFileAndDescription {
  key: string
  file: File
  alt: string
}

/**
 * A chosen picture in a form that every browser can store in IndexedDB. WebKit stores no Blobs in private
 * windows.
 */
export interface IndexedDbPicture extends Omit<PickedPictureFileAndDescription, 'file'> {
  file: { name: string; type: string; bytes: ArrayBuffer } | File
}

export const toIndexedDbPictures = (
  pictures: readonly PickedPictureFileAndDescription[],
): Promise<IndexedDbPicture[]> =>
  Promise.all(
    pictures.map(async ({ file, ...rest }) => {
      const { name, type } = file
      return { ...rest, file: { name, type, bytes: await file.arrayBuffer() } }
    }),
  )

/**
 * Converts pictures in IndexedDB back to chosen pictures, whose `file` is a File. Earlier releases stored a
 * File already.
 */
export const toPickedPicturesFromIndexedDb = (
  stored: readonly IndexedDbPicture[],
): PickedPictureFileAndDescription[] =>
  stored.map(({ file, ...rest }) => ({
    ...rest,
    file: file instanceof File ? file : new File([file.bytes], file.name, { type: file.type }),
  }))

// Returns whether a file is a picture, by its type. If the file has no type, its extension decides, because
// some systems report no type for pictures of their cameras.
const isPicture = ({ type, name, size }: File) =>
  size > 0 &&
  (/^image\/(jpeg|pjpeg|png|apng|gif|webp|avif|hei[cf])$/.test(type) ||
    (!type && /\.(jpe?g|png|gif|webp|avif|hei[cf])$/i.test(name)))

/**
 * Resolves with the pictures that can be sent and with a warning for each refused file. Makes large pictures
 * smaller, and converts HEIC. `existingCount` is the number of pictures that the member has chosen already.
 */
export async function checkAndPreparePictures(
  files: readonly File[],
  existingCount: number,
  t: (typeof postComposerText)['en'],
) {
  const warnings: string[] = []
  const picked: PickedPictureFileAndDescription[] = []
  let excess = 0
  for (const file of files) {
    if (!isPicture(file)) warnings.push(t.notPicture(file.name))
    else if (existingCount + picked.length >= configuredMaxPictureCount) excess++
    else {
      const fitting = await preparePictureForUploadOrReturnReason(file)
      if (fitting === 'unreadable') warnings.push(t.notReadable(file.name))
      else if (fitting === 'too large') warnings.push(t.tooLarge(file.name, maxPictureMb))
      else picked.push({ key: createRandomId(), file: fitting, alt: '' })
    }
  }
  if (excess) warnings.push(t.notAdded(excess, configuredMaxPictureCount))
  return { picked, warnings }
}

/**
 * Returns the chosen pictures with newly chosen ones, up to the limit of the settings. Keeps all earlier
 * pictures, because admins may have lowered the limit since they were chosen.
 */
export const addPicturesUpToLimit = (
  pictures: readonly PickedPictureFileAndDescription[],
  picked: readonly PickedPictureFileAndDescription[],
) => [...pictures, ...picked.slice(0, Math.max(0, configuredMaxPictureCount - pictures.length))]

/** Returns how many of the chosen pictures must be removed before the post, reply or message can be sent. */
export const countExcessPictures = (pictures: readonly PickedPictureFileAndDescription[]) =>
  Math.max(0, pictures.length - configuredMaxPictureCount)

/** Returns the files that were pasted. Ignores the picture that Office programs add to a pasted text. */
const filesOfPaste = ({ files, types }: DataTransfer) =>
  types.includes('text/html') && types.includes('text/plain') ? [] : [...files]

/**
 * Returns the attributes and event handlers of an element onto which files can be dropped or pasted. `add` is
 * called with the files.
 */
export function useFileDropAndPaste(add: (files: readonly File[]) => void) {
  const [isDropTarget, setIsDropTarget] = useState(false)
  const addFiles = (event: DragEvent | ClipboardEvent, files: readonly File[]) => {
    if (!files.length) return
    event.preventDefault()
    add(files)
  }
  return {
    'data-drop': isDropTarget || undefined,
    onDragOver(event: DragEvent) {
      if (!event.dataTransfer.types.includes('Files')) return
      event.preventDefault()
      setIsDropTarget(true)
    },
    onDragLeave: (event: DragEvent) =>
      event.currentTarget.contains(event.relatedTarget as Node | null) || setIsDropTarget(false),
    onDrop(event: DragEvent) {
      setIsDropTarget(false)
      addFiles(event, [...event.dataTransfer.files])
    },
    onPaste: (event: ClipboardEvent) => addFiles(event, filesOfPaste(event.clipboardData)),
  }
}
