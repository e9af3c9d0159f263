import { type ConversationRef, conversationKey } from '#web/unread.ts'

/** Where what somebody began to write in a chat is kept. */
export const draftKey = (me: number, place: ConversationRef) => `engawa:talk:${me}:${conversationKey(place)}`

export function loadDraft(me: number, place: ConversationRef) {
  try {
    return localStorage.getItem(draftKey(me, place)) ?? ''
  } catch {
    return ''
  }
}

export function saveDraft(me: number, place: ConversationRef, text: string) {
  try {
    if (text) localStorage.setItem(draftKey(me, place), text)
    else localStorage.removeItem(draftKey(me, place))
  } catch {
    // Forbidden or full: then it lives as long as the page.
  }
}
