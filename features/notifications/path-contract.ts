import { toProfilePath } from '#features/people/contract.ts'
import type { Notification } from './contract.ts'

/** Returns the path of the page to which a notification links. */
export function toNotificationPath({ kind, people, post, group, message_id }: Notification) {
  const newest = people[0]!
  if (post) return `/posts/${post.id}`
  if (group) return `/group-chat/${group.id}${message_id ? `?message=${message_id}` : ''}`
  return kind === 'first_message' ? `/privatechat/${newest.id}` : toProfilePath(newest)
}
