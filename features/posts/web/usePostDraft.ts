import { del, get, set } from 'idb-keyval'
import { useEffect, useState } from 'react'
import { findTags, parseTag } from '#features/people/text-parts-contract.ts'
import { onDelivery, readLocal, writeLocal } from '#web/local-storage.ts'
import { draftAudienceKey, draftKey, extrasKey } from './draft-keys.ts'
import { fromStored, type PickedPicture, type StoredPicture, toStored } from './prepare-pictures.ts'

const filesKey = (account: number) => `${draftKey(account)}:files`

// The text of a draft is in local storage, which writes at once, and its pictures and files are in IndexedDB,
// which has enough space. `saving` resolves when the last call of `save` has ended.
let saving: Promise<unknown> = Promise.resolve()

/** Each call waits for the previous one. False if they were not saved. */
function save(key: string, picked: readonly PickedPicture[]) {
  const saved = saving
    .then(() => toStored(picked))
    .then((stored) => (stored.length ? set(key, stored) : del(key)))
    .then(
      () => true,
      () => false,
    )
  saving = saved
  return saved
}

/**
 * Adds the tag that the address of the page names, as in `/post?tag=garden`. Replaces a draft that contains
 * only tags, so that tags of several such addresses do not add up.
 */
function addTagFromUrl(draft: string) {
  const tag = parseTag(new URLSearchParams(location.search).get('tag') ?? '')
  if (!tag || findTags(draft).includes(tag)) return draft
  const words = draft.replace(/[#＃]\S+/gu, '').trim()
  return words ? `${draft}${/\s$/.test(draft) ? '' : ' '}#${tag} ` : `#${tag} `
}

export async function deleteDraft(account: number) {
  writeLocal(draftKey(account), '')
  writeLocal(extrasKey(account), '')
  writeLocal(draftAudienceKey(account), '')
  await save(draftKey(account), [])
  await save(filesKey(account), [])
}

/** `isSaved` is null while they are being saved. */
function useSavedFiles(key: string) {
  const [picked, setPicked] = useState<PickedPicture[]>([])
  const [lastSave, setLastSave] = useState<{ picked: PickedPicture[]; succeeded: boolean } | null>(null)
  const [isRestored, setRestored] = useState(false)

  useEffect(() => {
    let isCurrent = true
    get<StoredPicture[]>(key)
      .catch(() => undefined)
      .then((found = []) => {
        if (!isCurrent) return
        setPicked((now) => [...fromStored(found), ...now])
        setRestored(true)
      })
    return () => {
      isCurrent = false
    }
  }, [key])
  useEffect(() => {
    if (!isRestored) return
    void save(key, picked).then((succeeded) => setLastSave({ picked, succeeded }))
  }, [key, picked, isRestored])
  return { picked, setPicked, isSaved: lastSave?.picked === picked ? lastSave.succeeded : null }
}

/** Begins with the saved draft. */
export function usePostDraft(account: number) {
  const [text, setText] = useState(() => addTagFromUrl(readLocal(draftKey(account)) ?? ''))
  useEffect(() => onDelivery(draftKey(account), setText), [account])
  const [isTextSaved, setTextSaved] = useState(true)
  const { picked: pictures, setPicked: setPictures, ...ofPictures } = useSavedFiles(draftKey(account))
  const { picked: files, setPicked: setFiles, ...ofFiles } = useSavedFiles(filesKey(account))

  const saveText = (value: string) => {
    setText(value)
    setTextSaved(writeLocal(draftKey(account), value))
  }
  const isSaved = isTextSaved && ofPictures.isSaved && ofFiles.isSaved
  return { text, saveText, pictures, setPictures, files, setFiles, isSaved }
}
