import { draftKey as chatDraftKey } from '#features/conversations/web/draft-key.ts'
import { draftKey as postDraftKey } from '#features/posts/web/draft-keys.ts'
import { readLocal, writeLocal } from '#web/local-storage.ts'
import type { Scheduled } from '../contract.ts'

const keyOf = (me: number, { kind, person, group }: Scheduled) => {
  if (kind === 'post') return postDraftKey(me)
  if (kind === 'person') return person ? chatDraftKey(me, { kind: 'private', id: person.id }) : null
  return group ? chatDraftKey(me, { kind: 'groups', id: group.id }) : null
}

/** The text becomes a draft again, after what is written there now. */
export function giveBack(me: number, scheduled: Scheduled) {
  const key = keyOf(me, scheduled)
  if (!key || !scheduled.text) return
  const written = readLocal(key)
  writeLocal(key, written ? `${written}\n${scheduled.text}` : scheduled.text)
}
