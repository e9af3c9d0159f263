import type { QuotedMessage } from '#features/conversations/message-schemas.ts'
import type { messageMenuText } from './menu-text.ts'

/** `isNote` is true if the text is not the author's, but a note such as “This message was deleted”. */
export function describeQuoted(
  {
    text,
    images_count,
    files_count,
    deleted_at,
    is_blocked,
    is_muted,
    is_voice,
  }: Omit<QuotedMessage, 'id' | 'user' | 'deleted_at'> & { deleted_at?: string | null },
  t: (typeof messageMenuText)['en'],
) {
  if (is_blocked) return { text: t.blocked, isNote: true }
  if (is_muted) return { text: t.muted, isNote: true }
  if (deleted_at) return { text: t.deleted, isNote: true }
  if (text) return { text, isNote: false }
  if (is_voice) return { text: t.voice, isNote: true }
  return { text: files_count ? t.file : t.pictures(images_count), isNote: true }
}
