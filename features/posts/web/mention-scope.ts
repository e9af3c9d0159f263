/**
 * Returns the attribute `data-mentions` of a text about a post: in a post for a group, and in replies to it, only
 * members of the group can be mentioned.
 */
export const toMentionScope = (post: { group_id?: number | null | undefined } | null | undefined) =>
  post?.group_id ? `group=${post.group_id}` : ''
