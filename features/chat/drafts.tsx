import { type Place, placeKey } from '#web/unread.ts'

/** Where what somebody began to write in a chat is kept. */
export const draftPlace = (me: number, place: Place) => `engawa:talk:${me}:${placeKey(place)}`

export function keptDraft(me: number, place: Place) {
  try {
    return localStorage.getItem(draftPlace(me, place)) ?? ''
  } catch {
    return ''
  }
}

export function keepDraft(me: number, place: Place, text: string) {
  try {
    if (text) localStorage.setItem(draftPlace(me, place), text)
    else localStorage.removeItem(draftPlace(me, place))
  } catch {
    // Forbidden or full: then it lives as long as the page.
  }
}
