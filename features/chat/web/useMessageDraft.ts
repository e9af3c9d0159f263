import { useEffect, useState } from 'react'
import type { PickedPictureFileAndDescription } from '#features/posts/web/prepare-pictures.ts'
import { readLocalStorage, writeLocalStorage } from '#web/local-storage.ts'
import type { QuotedMessage } from '../contract.ts'

/**
 * The chosen pictures of each conversation's draft, by draft key. They stay in memory while another
 * conversation is open.
 */
const chosenPictures = new Map<string, PickedPictureFileAndDescription[]>()
/** The chosen files besides pictures of each conversation's draft, by draft key, also in memory only. */
const chosenFiles = new Map<string, PickedPictureFileAndDescription[]>()
/** The message to which the draft of each conversation replies, by draft key, also in memory only. */
const quotedMessages = new Map<string, QuotedMessage | null>()

/**
 * Returns the text, the pictures, the files and the quote of the message that the user is writing, and
 * functions that change them.
 */
export function useMessageDraft(key: string) {
  const [text, setText] = useState(() => readLocalStorage(key) ?? '')
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
    // Saves the text of the draft in local storage. If that is forbidden or full, the draft exists only until
    // the page is closed.
    writeLocalStorage(key, next)
  }
  return { text, setText: saveText, pictures, setPictures, files, setFiles, quoted, setQuoted }
}
