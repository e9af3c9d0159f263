import { MAX_NEW_POSTS, type Notification, type NotificationKind, type TaskKind } from './contract.ts'
import { type ServerSentence, serverSentenceOf } from './server-sentence-contract.ts'
import { isTask } from './task-contract.ts'

/** Without tasks. `answer`: replies to another person's post that answer the member. Those about the server name nobody. */
export type SentenceName =
  | Exclude<NotificationKind, 'server' | TaskKind>
  | ServerSentence
  | 'answer'
  | 'mention_in_reply'
  | 'announcement_of_own_post'
  | 'new_posts'

/** For sentences that show a number or emoji; empty for others. */
export const shownWith = ({ posts_count, emoji = [] }: Notification) =>
  posts_count === undefined ? emoji.join(' ') : `${posts_count}${posts_count === MAX_NEW_POSTS ? '+' : ''}`

/** With the text or name that the sentence ends with; empty if there is none. Throws for tasks. */
export function chooseSentence({
  kind,
  post,
  reply,
  group,
  message_body,
  server,
  posts_count = 1,
}: Notification): {
  name: SentenceName
  subject: string
} {
  if (kind === 'server') return { name: serverSentenceOf(server!.condition, server!.is_over), subject: '' }
  if (isTask(kind)) throw new Error(`A task has sentences of its own: ${kind}`)
  if (kind === 'reply') return { name: post?.is_own ? 'reply' : 'answer', subject: reply?.body ?? '' }
  if (reply) return { name: kind === 'mention' ? 'mention_in_reply' : kind, subject: reply.body ?? '' }
  if (kind === 'announcement')
    return { name: post?.is_own ? 'announcement_of_own_post' : kind, subject: post?.body ?? '' }
  if (kind === 'new_post') return { name: posts_count > 1 ? 'new_posts' : kind, subject: post?.body ?? '' }
  if (kind === 'message_reaction') return { name: kind, subject: message_body ?? '' }
  if (message_body) return { name: kind, subject: [group?.name, message_body].filter(Boolean).join(': ') }
  return { name: kind, subject: post ? (post.body ?? '') : (group?.name ?? '') }
}
