import { del, get, set } from 'idb-keyval'
import { useEffect, useState } from 'react'
import { newId } from '#web/id.ts'
import { readLocal, writeLocal } from '#web/local-storage.ts'
import { MOST_IMAGES } from '../contract.ts'

/** A chosen picture, and its description for people who cannot see it. */
export interface Picked {
  key: string
  file: File
  alt: string
}

export const pick = (file: File): Picked => ({ key: newId(), file, alt: '' })

/** A draft belongs to an account: the next person at this device does not find it. */
const draftKey = (account: number) => `engawa:draft:${account}`

// Local storage keeps the text, as it writes at once; IndexedDB keeps the pictures, as it has room.
export const loadDraftText = (account: number) => readLocal(draftKey(account)) ?? ''
/** Returns whether it was saved. */
export const saveDraftText = (account: number, text: string) => writeLocal(draftKey(account), text)

const done = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  )
const keepPictures = (account: number, pictures: Picked[]) =>
  done(pictures.length ? set(draftKey(account), pictures) : del(draftKey(account)))

export function forgetDraft(account: number) {
  saveDraftText(account, '')
  return keepPictures(account, [])
}

/** The chosen pictures, beginning with those of the saved draft. Every change is saved. */
export function usePictures(account: number) {
  const [pictures, setPictures] = useState<Picked[]>([])
  const [restored, setRestored] = useState(false)
  const [kept, setKept] = useState(true)

  useEffect(() => {
    let current = true
    get<Picked[]>(draftKey(account))
      .catch(() => undefined)
      .then((found = []) => {
        if (!current) return
        setPictures((now) => [...found, ...now].slice(0, MOST_IMAGES))
        setRestored(true)
      })
    return () => {
      current = false
    }
  }, [account])

  useEffect(() => {
    if (restored) keepPictures(account, pictures).then(setKept)
  }, [account, pictures, restored])

  return { pictures, setPictures, kept }
}
