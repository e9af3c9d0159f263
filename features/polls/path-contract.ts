import type { WaitingPoll } from './contract.ts'

/** Of the post or message with the poll. */
export const pollPath = ({ post_id, group_id, message_id, user }: WaitingPoll) =>
  post_id !== null
    ? `/posts/${post_id}`
    : `${group_id === null ? `/privatechat/${user.id}` : `/group-chat/${group_id}`}?message=${message_id}`
