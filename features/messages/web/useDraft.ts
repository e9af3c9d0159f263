import { useEffect, useState } from 'react'
import type { QuotedMessage } from '#features/conversations/message-schemas.ts'
import type { PickedPicture } from '#features/posts/web/prepare-pictures.ts'
import { onDelivery, readLocal, writeLocal } from '#web/local-storage.ts'

/** By draft key. In memory while another conversation is open, as the two maps below. */
const chosenPictures = new Map<string, PickedPicture[]>()
const chosenFiles = new Map<string, PickedPicture[]>()
const quotedMessages = new Map<string, QuotedMessage | null>()

export function useMessageDraft(key: string) {
  const [text, setText] = useState(() => readLocal(key) ?? '')
  useEffect(() => onDelivery(key, setText), [key])
  const [pictures, setPictures] = useState(() => chosenPictures.get(key) ?? [])
  useEffect(() => {
    chosenPictures.set(key, pictures)
  }, [key, pictures])
  const [files, setFiles] = useState(() => chosenFiles.get(key) ?? [])
  useEffect(() => void chosenFiles.set(key, files), [key, files])
  const [quoted, setQuoted] = useState(() => quotedMessages.get(key) ?? null)
  useEffect(() => void quotedMessages.set(key, quoted), [key, quoted])
  const saveText = (next: string) => {
    setText(next)
    // If local storage is forbidden or full, the draft exists only until the page is closed.
    writeLocal(key, next)
  }
  return { text, setText: saveText, pictures, setPictures, files, setFiles, quoted, setQuoted }
}
