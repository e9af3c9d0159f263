/**
 * Returns the value of the attribute `data-mentions` of the text field for a post or for a reply to it. In
 * a post for a group, and in replies to it, only members of the group can be mentioned. Other posts have an
 * empty value.
 */
export const toMentionScopeAttribute = (post: { group_id?: number | null | undefined } | null | undefined) =>
  post?.group_id ? `group=${post.group_id}` : ''
