import { draftKey as chatDraftKey } from '#features/conversations/web/draft-key.ts'
import type { AudienceChoice } from '#features/posts/web/audience-choice.ts'
import { audienceKey, draftAudienceKey, draftKey as postDraftKey } from '#features/posts/web/draft-keys.ts'
import { readLocal, writeLocal } from '#web/local-storage.ts'
import type { Scheduled } from '../contract.ts'

/** The text becomes a draft again, after what is written there now. */
const append = (key: string, text: string) => {
  const written = readLocal(key)
  writeLocal(key, written ? `${written}\n${text}` : text)
}

function audienceOf({ audience = 'everyone', group }: Scheduled): AudienceChoice | null {
  if (audience !== 'group') return audience
  return group ? `group ${group.id}` : null
}

/** Null if a post for others is begun there, or nobody would get it. */
function draftOfPost(me: number, scheduled: Scheduled) {
  const key = postDraftKey(me)
  const audience = audienceOf(scheduled)
  const begun = readLocal(draftAudienceKey(me)) ?? readLocal(audienceKey(me)) ?? 'everyone'
  if (!audience || (readLocal(key) && begun !== audience)) return null
  return (text: string) => {
    append(key, text)
    writeLocal(draftAudienceKey(me), audience)
  }
}

/** Makes the text a draft again; null if there is no place where it was written, or it would reach others. */
export function placeFor(me: number, scheduled: Scheduled) {
  const { kind, person, group } = scheduled
  if (kind === 'post') return draftOfPost(me, scheduled)
  const chat = kind === 'person' ? person : group
  if (!chat) return null
  const key = chatDraftKey(me, { kind: kind === 'person' ? 'private' : 'groups', id: chat.id })
  return (text: string) => append(key, text)
}
