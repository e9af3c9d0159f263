import { readLocal, writeLocal } from '#web/local-storage.ts'
import type { AudienceChoice } from './audience-choice.ts'

// In local storage. By account, which must not see drafts of other accounts on this device.

export const draftKey = (account: number) => `engawa:draft:${account}`
export const extrasKey = (account: number) => `${draftKey(account)}:extras`
export const audienceKey = (account: number) => `engawa:audience:${account}`

/** For the form of a new post, which the caller opens. What was begun there stays below. */
export function beginPost(
  account: number,
  { text, extras, audience }: { text: string; extras: object; audience: AudienceChoice },
) {
  const before = readLocal(draftKey(account))
  writeLocal(draftKey(account), before ? `${text}\n\n${before}` : text)
  writeLocal(extrasKey(account), JSON.stringify(extras))
  writeLocal(audienceKey(account), audience)
}
