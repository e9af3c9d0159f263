import { type ClipboardEvent, type DragEvent, useState } from 'react'
import { newId } from '#web/id.ts'
import { fitForUpload } from '#web/ui/pictures.ts'
import { MOST_IMAGES } from '../contract.ts'
import type { composerText } from './composer-text.ts'

/** A chosen picture, and its description for people who cannot see it. */
export interface Picked {
  key: string
  file: File
  alt: string
}

/** A picture as IndexedDB accepts it everywhere: WebKit stores no Blobs in private windows. */
export interface StoredPicture extends Omit<Picked, 'file'> {
  file: { name: string; type: string; bytes: ArrayBuffer } | File
}

export const toStored = (pictures: readonly Picked[]): Promise<StoredPicture[]> =>
  Promise.all(
    pictures.map(async ({ file, ...rest }) => {
      const { name, type } = file
      return { ...rest, file: { name, type, bytes: await file.arrayBuffer() } }
    }),
  )

/** Drafts of earlier releases have files. */
export const fromStored = (stored: readonly StoredPicture[]): Picked[] =>
  stored.map(({ file, ...rest }) => ({
    ...rest,
    file: file instanceof File ? file : new File([file.bytes], file.name, { type: file.type }),
  }))

// Some systems give no type for the files of their own cameras.
const isPicture = ({ type, name, size }: File) =>
  size > 0 &&
  (/^image\/(jpeg|pjpeg|png|apng|gif|webp|avif)$/.test(type) ||
    (!type && /\.(jpe?g|png|gif|webp|avif)$/i.test(name)))

/**
 * Resolves with the files that can be sent, large ones made smaller, and a sentence for each refused one.
 * `have` are there already.
 */
export async function choose(files: readonly File[], have: number, t: (typeof composerText)['en']) {
  const notes: string[] = []
  const picked: Picked[] = []
  let left = 0
  for (const file of files) {
    if (!isPicture(file)) notes.push(t.notPicture(file.name))
    else if (have + picked.length === MOST_IMAGES) left++
    else {
      const fitting = await fitForUpload(file)
      if (fitting === 'unreadable') notes.push(t.notReadable(file.name))
      else if (fitting === 'too large') notes.push(t.tooLarge(file.name))
      else picked.push({ key: newId(), file: fitting, alt: '' })
    }
  }
  if (left) notes.push(t.notAdded(left, MOST_IMAGES))
  return { picked, notes }
}

/** The files of a paste. Office programs add a picture of the pasted text: it is ignored. */
const pasted = ({ files, types }: DataTransfer) =>
  types.includes('text/html') && types.includes('text/plain') ? [] : [...files]

/** Event handlers for an element that accepts dropped and pasted files. */
export function useIncoming(add: (files: readonly File[]) => void) {
  const [target, setTarget] = useState(false)
  const take = (event: DragEvent | ClipboardEvent, files: readonly File[]) => {
    if (!files.length) return
    event.preventDefault()
    add(files)
  }
  return {
    'data-drop': target || undefined,
    onDragOver(event: DragEvent) {
      if (!event.dataTransfer.types.includes('Files')) return
      event.preventDefault()
      setTarget(true)
    },
    onDragLeave: (event: DragEvent) =>
      event.currentTarget.contains(event.relatedTarget as Node | null) || setTarget(false),
    onDrop(event: DragEvent) {
      setTarget(false)
      take(event, [...event.dataTransfer.files])
    },
    onPaste: (event: ClipboardEvent) => take(event, pasted(event.clipboardData)),
  }
}
