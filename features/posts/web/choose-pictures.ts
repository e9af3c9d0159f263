import { type ClipboardEvent, type DragEvent, useState } from 'react'
import { newId } from '#web/id.ts'
import { MOST_IMAGES } from '../contract.ts'
import type { composerText } from './composer-text.ts'

/** A chosen picture, and its description for people who cannot see it. */
export interface Picked {
  key: string
  file: File
  alt: string
}

/** The server's limit for one picture. */
const MOST_BYTES = 10 * 2 ** 20

// Some systems give no type for the files of their own cameras.
const isPicture = ({ type, name, size }: File) =>
  size > 0 &&
  (/^image\/(jpeg|pjpeg|png|apng|gif|webp|avif)$/.test(type) ||
    (!type && /\.(jpe?g|png|gif|webp|avif)$/i.test(name)))

/** Returns the accepted files, and a sentence for each refused one. `have` are there already. */
export function choose(files: readonly File[], have: number, t: (typeof composerText)['en']) {
  const notes: string[] = []
  const fitting = files.filter((file) => {
    if (!isPicture(file)) notes.push(t.notPicture(file.name))
    else if (file.size > MOST_BYTES) notes.push(t.tooLarge(file.name))
    else return true
    return false
  })
  const accepted = fitting.slice(0, MOST_IMAGES - have)
  const left = fitting.length - accepted.length
  if (left) notes.push(t.notAdded(left, MOST_IMAGES))
  return { picked: accepted.map((file): Picked => ({ key: newId(), file, alt: '' })), notes }
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
