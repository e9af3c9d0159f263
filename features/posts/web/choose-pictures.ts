import { type ClipboardEvent, type DragEvent, useState } from 'react'
import { MOST_IMAGES } from '../contract.ts'
import type { composerText } from './composer-text.ts'

/** The server's own limit for one picture. */
const MOST_BYTES = 10 * 2 ** 20

// Some systems know no type for what their own cameras write.
const isPicture = ({ type, name, size }: File) =>
  size > 0 &&
  (/^image\/(jpeg|pjpeg|png|apng|gif|webp|avif)$/.test(type) ||
    (!type && /\.(jpe?g|png|gif|webp|avif)$/i.test(name)))

/** Which of the files fit, and a sentence for every reason why others do not. */
export function choose(files: readonly File[], have: number, t: (typeof composerText)['en']) {
  const notes: string[] = []
  const fitting = files.filter((file) => {
    if (!isPicture(file)) notes.push(t.notPicture(file.name))
    else if (file.size > MOST_BYTES) notes.push(t.tooLarge(file.name))
    else return true
    return false
  })
  const kept = fitting.slice(0, MOST_IMAGES - have)
  const left = fitting.length - kept.length
  if (left) notes.push(t.notAdded(left, MOST_IMAGES))
  return { kept, notes }
}

/** Files of a paste; none where they only picture the text that comes with them, as office programs send. */
const pasted = ({ files, types }: DataTransfer) =>
  types.includes('text/html') && types.includes('text/plain') ? [] : [...files]

/** For the element that files may be dropped on and pasted into. */
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
