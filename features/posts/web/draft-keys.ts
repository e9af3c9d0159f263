import { readLocal, writeLocal } from '#web/local-storage.ts'
import type { AudienceChoice } from './audience-choice.ts'

// In local storage. By account, which must not see drafts of other accounts on this device.

export const draftKey = (account: number) => `engawa:draft:${account}`
export const extrasKey = (account: number) => `${draftKey(account)}:extras`
/** The last choice, for the next post. */
export const audienceKey = (account: number) => `engawa:audience:${account}`
/** Of this draft only, before the last choice. */
export const draftAudienceKey = (account: number) => `${draftKey(account)}:audience`

/** For the form of a new post, which the caller opens. False, without a change, if a text was begun there. */
export function beginPost(
  account: number,
  { text, extras, audience }: { text: string; extras: object; audience: AudienceChoice },
) {
  if (readLocal(draftKey(account))) return false
  writeLocal(draftKey(account), text)
  writeLocal(extrasKey(account), JSON.stringify(extras))
  writeLocal(draftAudienceKey(account), audience)
  return true
}
