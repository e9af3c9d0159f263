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
import { patchPostInStore, pendingPostLikes } from './post-store.ts'
import { postsText } from './text.ts'

/** Milliseconds of the animations of `.like[data-just-liked]` in post.css. */
const ANIMATION_TIME = 520

export function PostLikeButton({ post }: { post: Post }) {
  const client = useQueryClient()
  const [isJustLiked, setIsJustLiked] = useState(false)
  const explain = useErrorFormatter()
  const t = useText(postsText)
  const toastKey = `like ${post.id}`
  useEffect(() => () => closeToast(toastKey), [toastKey])

  const press = () => {
    // Uses the pending like, if there is one, and not the props, because a second press may come before
    // React has rendered the first one.
    const liked = !(pendingPostLikes.get(post.id) ?? post.liked_by_me)
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

/** The number of likes without a button, for visitors. */
export function LikeCount({ count }: { count: number }) {
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
 * Shows a like at once, and sends one request at a time. The last press counts. A failure restores the last
 * state that the server confirmed.
 */
async function setLike(client: QueryClient, { id, liked_by_me, likes_count }: Post, liked: boolean) {
  patchPostInStore(id, {
    liked_by_me: liked,
    likes_count: likes_count + Number(liked) - Number(liked_by_me),
  })
  const isSending = pendingPostLikes.has(id)
  pendingPostLikes.set(id, liked)
  if (isSending) return

  let confirmed: Partial<Post> = { liked_by_me, likes_count }
  try {
    let sent: boolean
    do {
      sent = pendingPostLikes.get(id)!
      const answer = await callEndpoint(sent ? postEndpoints.like : postEndpoints.unlike, { id })
      confirmed = { liked_by_me: answer.liked, likes_count: answer.likes_count }
    } while (pendingPostLikes.get(id) !== sent)
  } catch (error) {
    // A 404 after an unlike is no error: the reader may no longer see the post, but the server has removed
    // the like. The page already shows that.
    if (pendingPostLikes.get(id) || !isErrorWithStatus(error, 404)) throw error
    confirmed = {}
  } finally {
    pendingPostLikes.delete(id)
    patchPostInStore(id, confirmed)
  }
  refetchPostsOnScreen(client)
}
