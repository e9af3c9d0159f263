/**
 * Returns the value of the attribute `data-mentions` for the text field of a post or of a reply to it: the
 * parameters of `GET /api/mention-candidates`. In a post for a group, and in replies to it, only members of
 * the group can be mentioned. `id` is missing for a new post.
 */
export const toDataMentionsAttributeOfPost = (
  post: { id?: number; group_id?: number | null | undefined } | null | undefined,
) =>
  [post?.group_id && `group=${post.group_id}`, post?.id && `post=${post.id}`]
    .filter((parameter) => parameter)
    .join('&')
