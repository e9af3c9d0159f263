import type { QuotedMessage } from '../contract.ts'
import type { messageMenuText } from './message-menu-text.ts'

/**
 * Returns the text that is shown for a quoted or pinned message. `isNote` is false if it is the text that the
 * author wrote, and true if it is a note in place of this text, such as “This message was deleted”.
 */
export function toQuotedOrPinnedMessageTextOrNote(
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
