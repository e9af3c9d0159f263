import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { Heart } from 'lucide-react'
import { useEffect, useState } from 'react'
import { callEndpoint } from '#web/api.ts'
import { isErrorWithStatus, showLogInPromptToast, useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { closeToast, showToast } from '#web/ui/Toasts.tsx'
import { type Post, postEndpoints } from '../contract.ts'
import { refetchPostsOnScreen } from './post-queries.ts'
import { patchPostInStore, pendingLikesAndUnlikesByPostId } from './post-store.ts'
import { postsText } from './text.ts'

/** The duration in milliseconds of the animations of `.like[data-just-liked]` in post.css. */
const ANIMATION_TIME = 520

export function PostLikeButton({ post }: { post: Post }) {
  const client = useQueryClient()
  const [isJustLiked, setIsJustLiked] = useState(false)
  const explain = useErrorFormatter()
  const t = useText(postsText)
  const toastKey = `like ${post.id}`
  useEffect(() => () => closeToast(toastKey), [toastKey])

  const press = () => {
    // Takes the state of the like from `pendingLikesAndUnlikesByPostId` if a request is running, and not from
    // the props, because the member may press again before React has rendered the first press.
    const liked = !(pendingLikesAndUnlikesByPostId.get(post.id) ?? post.liked_by_me)
    setIsJustLiked(liked)
    if (liked) setTimeout(setIsJustLiked, ANIMATION_TIME, false)
    setLike(client, post, liked).then(
      () => closeToast(toastKey),
      (error: unknown) => {
        if (isErrorWithStatus(error, 401)) showLogInPromptToast()
        else showToast(t.likeFailed(liked) + explain(error), { key: toastKey, kind: 'error' })
      },
    )
  }
  return (
    <button
      type="button"
      className="like"
      aria-pressed={post.liked_by_me}
      data-just-liked={isJustLiked || undefined}
      onClick={press}
    >
      <span className="visually-hidden">{t.like}</span>
      <span className="heart">
        <Icon icon={Heart} />
        <Icon icon={Heart} className="filled" />
      </span>
    </button>
  )
}

/** Renders the number of likes of a post for visitors, who have no like button. */
export function LikeCountForVisitors({ count }: { count: number }) {
  const t = useText(postsText)
  if (!count) return null
  return (
    <span className="likes">
      <Icon icon={Heart} />
      <span>
        {count}
        <span className="visually-hidden">{t.likes(count)}</span>
      </span>
    </span>
  )
}

/**
 * Shows a changed like on the page at once, and then sends it to the server, one request at a time. If the
 * member presses again meanwhile, the state of the last press is sent too. After a failure, shows the last
 * state that the server confirmed.
 */
async function setLike(client: QueryClient, { id, liked_by_me, likes_count }: Post, liked: boolean) {
  patchPostInStore(id, {
    liked_by_me: liked,
    likes_count: likes_count + Number(liked) - Number(liked_by_me),
  })
  const isSending = pendingLikesAndUnlikesByPostId.has(id)
  pendingLikesAndUnlikesByPostId.set(id, liked)
  if (isSending) return

  let confirmed: Partial<Post> = { liked_by_me, likes_count }
  try {
    let sent: boolean
    do {
      sent = pendingLikesAndUnlikesByPostId.get(id)!
      const answer = await callEndpoint(sent ? postEndpoints.like : postEndpoints.unlike, { id })
      confirmed = { liked_by_me: answer.liked, likes_count: answer.likes_count }
    } while (pendingLikesAndUnlikesByPostId.get(id) !== sent)
  } catch (error) {
    // Ignores a 404 after an unlike: the reader may no longer see the post, but the server has removed the
    // like, and the page already shows that.
    if (pendingLikesAndUnlikesByPostId.get(id) || !isErrorWithStatus(error, 404)) throw error
    confirmed = {}
  } finally {
    pendingLikesAndUnlikesByPostId.delete(id)
    patchPostInStore(id, confirmed)
  }
  refetchPostsOnScreen(client)
}
