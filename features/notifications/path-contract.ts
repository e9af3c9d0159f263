import { profilePath } from '#features/people/contract.ts'
import type { Notification } from './contract.ts'
import { isTask, taskPaths } from './task-contract.ts'

export function notificationPath({
  kind,
  people,
  post,
  posts_count = 1,
  reply,
  group,
  message_id,
  event_id,
}: Notification) {
  const newest = people[0]!
  const message = message_id ? `?message=${message_id}` : ''
  if (kind === 'server') return '/admin/health'
  if (isTask(kind)) return taskPaths[kind]
  if (posts_count > 1) return profilePath(newest)
  if (event_id) return `/events/${event_id}`
  if (post) return `/posts/${post.id}${reply ? `?reply=${reply.id}` : ''}`
  if (group) return `/group-chat/${group.id}${message}`
  // A private chat has only two people, so the newest person is the other one.
  if (kind === 'first_message' || kind === 'message_reaction') return `/privatechat/${newest.id}${message}`
  return profilePath(newest)
}
