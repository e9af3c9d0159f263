/**
 * The value of `data-mentions`: parameters of `GET /api/mention-candidates`. In a post for a group, and in
 * replies to it, only its members can be mentioned. `id` is missing for a new post.
 */
export const mentionScope = (
  post: { id?: number; group_id?: number | null | undefined } | null | undefined,
) =>
  [post?.group_id && `group=${post.group_id}`, post?.id && `post=${post.id}`]
    .filter((parameter) => parameter)
    .join('&')
