import { type ClipboardEvent, type DragEvent, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { pastedFiles } from '#web/clipboard.ts'
import { maxFileMb } from '#web/file-limit.ts'
import { randomId } from '#web/id.ts'
import { maxPictureMb, preparePicture } from '#web/ui/image-files.ts'
import { becomesStill } from '#web/ui/still-pictures.ts'
import type { postComposerText } from './composer-text.ts'
import { maxPictures } from './limits.ts'

/** Chosen for a post, reply or message. */
export interface PickedPicture {
  key: string
  file: File
  alt: string
}

/** For IndexedDB of every browser: WebKit stores no Blobs in private windows. */
export interface StoredPicture extends Omit<PickedPicture, 'file'> {
  file: { name: string; type: string; bytes: ArrayBuffer } | File
}

export const toStored = (pictures: readonly PickedPicture[]): Promise<StoredPicture[]> =>
  Promise.all(
    pictures.map(async ({ file, ...rest }) => {
      const { name, type } = file
      return { ...rest, file: { name, type, bytes: await file.arrayBuffer() } }
    }),
  )

/** Earlier releases stored a File already. */
export const fromStored = (stored: readonly StoredPicture[]): PickedPicture[] =>
  stored.map(({ file, ...rest }) => ({
    ...rest,
    file: file instanceof File ? file : new File([file.bytes], file.name, { type: file.type }),
  }))

// Some systems report no type for pictures of their cameras.
const isPicture = ({ type, name, size }: File) =>
  size > 0 &&
  (/^image\/(jpeg|pjpeg|png|apng|gif|webp|avif|hei[cf])$/.test(type) ||
    (!type && /\.(jpe?g|png|gif|webp|avif|hei[cf])$/i.test(name)))

/** Otherwise it is sent as another file, unless these are turned off. */
export const looksLikePicture = ({ type, name }: File) =>
  maxFileMb === 0 || type.startsWith('image/') || /\.(jpe?g|png|gif|webp|avif|heic|heif)$/i.test(name)

/** Resolves with a warning for each file that is refused, or will not move. Makes large pictures smaller, and converts HEIC. */
export async function preparePictures(
  files: readonly File[],
  existingCount: number,
  t: (typeof postComposerText)['en'],
) {
  const warnings: string[] = []
  const picked: PickedPicture[] = []
  let excess = 0
  for (const file of files) {
    if (!isPicture(file)) warnings.push(t.notPicture(file.name))
    else if (existingCount + picked.length >= maxPictures) excess++
    else {
      const fitting = await preparePicture(file)
      if (fitting === 'unreadable') warnings.push(t.notReadable(file.name))
      else if (fitting === 'too large') warnings.push(t.tooLarge(file.name, maxPictureMb))
      else {
        picked.push({ key: randomId(), file: fitting, alt: '' })
        if (await becomesStill(file)) warnings.push(t.becomesStill(file.name))
      }
    }
  }
  if (excess) warnings.push(t.notAdded(excess, maxPictures))
  return { picked, warnings }
}

/** Keeps all earlier pictures, because admins may have lowered the limit since they were chosen. */
export const addPictures = (pictures: readonly PickedPicture[], picked: readonly PickedPicture[]) => [
  ...pictures,
  ...picked.slice(0, Math.max(0, maxPictures - pictures.length)),
]

/** Pictures that must be removed before the post, reply or message can be sent. */
export const countExcess = (pictures: readonly PickedPicture[]) => Math.max(0, pictures.length - maxPictures)

/** A press on “Send” while files are prepared (about a second) counts when they are there: `submit` runs then. */
export function usePreparation(submit: () => void) {
  const [running, setRunning] = useState(0)
  /** A change of the text or of the files takes the press back. */
  const [isPressed, setPressed] = useState(false)
  const isPreparing = running > 0
  useEffect(() => {
    if (!isPressed || isPreparing) return
    setPressed(false)
    submit()
  })
  /** `add` shows the files, in the same render that ends the preparation. Warnings take a press back. */
  async function prepare<T extends { warnings: readonly unknown[] }>(
    files: Promise<T>,
    add: (files: T) => void,
  ) {
    setRunning((now) => now + 1)
    const end = (hasFault: boolean) => {
      if (hasFault) setPressed(false)
      setRunning((now) => now - 1)
    }
    const prepared = await files.catch((error) => {
      end(true)
      throw error
    })
    flushSync(() => {
      add(prepared)
      end(prepared.warnings.length > 0)
    })
  }
  return { isPreparing, setPressed, prepare }
}

export function useFileDrop(add: (files: readonly File[]) => void) {
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
    onPaste: (event: ClipboardEvent) => addFiles(event, pastedFiles(event.clipboardData)),
  }
}
