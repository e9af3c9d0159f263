import type { Notification, NotificationKind } from './contract.ts'
import { type ServerSentenceName, toServerSentenceName } from './server-sentence-contract.ts'

/**
 * The names of the sentences that describe notifications: the kinds, and three special cases. `answer` is for
 * replies to another person's post that answer the member, `mention_in_reply` for replies that mention the
 * member, `announcement_of_own_post` for announcements of the member's own post. Those about the server name
 * nobody.
 */
export type NotificationSentenceName =
  | Exclude<NotificationKind, 'server'>
  | ServerSentenceName
  | 'answer'
  | 'mention_in_reply'
  | 'announcement_of_own_post'

/**
 * Returns the name of the sentence that describes a notification, and the text or name that the sentence ends
 * with; an empty text if there is none.
 */
export function chooseNotificationSentenceNameAndEndingText({
  kind,
  post,
  reply,
  group,
  message_body,
  server,
}: Notification): {
  name: NotificationSentenceName
  subject: string
} {
  if (kind === 'server')
    return { name: toServerSentenceName(server!.condition, server!.is_over), subject: '' }
  if (kind === 'reply') return { name: post?.is_own ? 'reply' : 'answer', subject: reply?.body ?? '' }
  if (reply) return { name: kind === 'mention' ? 'mention_in_reply' : kind, subject: reply.body ?? '' }
  if (kind === 'announcement')
    return { name: post?.is_own ? 'announcement_of_own_post' : kind, subject: post?.body ?? '' }
  if (kind === 'message_reaction') return { name: kind, subject: message_body ?? '' }
  if (message_body) return { name: kind, subject: [group?.name, message_body].filter(Boolean).join(': ') }
  return { name: kind, subject: post ? (post.body ?? '') : (group?.name ?? '') }
}
