import { useEffect, useState } from 'react'
import type { Picked } from '#features/posts/web/choose-pictures.ts'
import { type ConversationRef, conversationKey } from './chat-state.ts'

/** The key in localStorage. */
const draftKey = (me: number, conversation: ConversationRef) =>
  `engawa:talk:${me}:${conversationKey(conversation)}`

/** The text that somebody began to write in a conversation. */
export function loadDraft(me: number, conversation: ConversationRef) {
  try {
    return localStorage.getItem(draftKey(me, conversation)) ?? ''
  } catch {
    return ''
  }
}

function saveDraft(me: number, conversation: ConversationRef, text: string) {
  try {
    if (text) localStorage.setItem(draftKey(me, conversation), text)
    else localStorage.removeItem(draftKey(me, conversation))
  } catch {
    // Storage is forbidden or full: the draft lives as long as the page.
  }
}

/** Chosen pictures wait here while another conversation is open. */
const chosenPictures = new Map<string, Picked[]>()

/** The text and the pictures of a message that is being written. */
export function useDraft(me: number, conversation: ConversationRef) {
  const key = draftKey(me, conversation)
  const [text, setText] = useState(() => loadDraft(me, conversation))
  const [pictures, setPictures] = useState(() => chosenPictures.get(key) ?? [])
  useEffect(() => {
    chosenPictures.set(key, pictures)
  }, [key, pictures])
  const write = (next: string) => {
    setText(next)
    saveDraft(me, conversation, next)
  }
  return { text, write, pictures, setPictures }
}
