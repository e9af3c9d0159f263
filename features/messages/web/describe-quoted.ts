import { kindOf } from '#features/conversations/attached-contract.ts'
import type { QuotedMessage } from '#features/conversations/message-schemas.ts'
import type { messageMenuText } from './menu-text.ts'

/** `isNote` is true if the text is not the author's, but a note such as “This message was deleted”. */
export function describeQuoted(
  {
    text,
    deleted_at,
    is_blocked,
    is_muted,
    ...attached
  }: Omit<QuotedMessage, 'id' | 'user' | 'deleted_at'> & { deleted_at?: string | null },
  t: (typeof messageMenuText)['en'],
) {
  if (is_blocked) return { text: t.blocked, isNote: true }
  if (is_muted) return { text: t.muted, isNote: true }
  if (deleted_at) return { text: t.deleted, isNote: true }
  if (text) return { text, isNote: false }
  const kind = kindOf(attached)
  return { text: kind === 'picture' ? t.pictures(attached.images_count) : t[kind], isNote: true }
}
