import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { Heart } from 'lucide-react'
import { useEffect, useState } from 'react'
import { callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { closeToast, showToast } from '#web/ui/Toasts.tsx'
import { type Post, postEndpoints } from '../contract.ts'
import { refetchPosts } from './post-queries.ts'
import * as store from './post-store.ts'
import { postsText } from './text.ts'

/** Milliseconds of the animations of `.like[data-just-liked]` in post.css. */
const ANIMATION_TIME = 520

export function PostLikeButton({ post }: { post: Post }) {
  const client = useQueryClient()
  const [isJustLiked, setIsJustLiked] = useState(false)
  const explain = useErrorText()
  const t = useText(postsText)
  const toastKey = `like ${post.id}`
  useEffect(() => () => closeToast(toastKey), [toastKey])

  const press = () => {
    // Not from the props while a request is running, because the member may press again before React has
    // rendered the first press.
    const liked = !(store.pendingLikes.get(post.id) ?? post.liked_by_me)
    setIsJustLiked(liked)
    if (liked) setTimeout(setIsJustLiked, ANIMATION_TIME, false)
    setLike(client, post, liked).then(
      () => closeToast(toastKey),
      (error: unknown) => {
        if (hasStatus(error, 401)) showLogInToast()
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

export function VisitorLikes({ count }: { count: number }) {
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
 * Shows a like at once, and sends one request at a time. If the member presses again meanwhile, the last
 * state is sent too. After a failure, shows the last state that the server confirmed.
 */
async function setLike(client: QueryClient, { id, liked_by_me, likes_count }: Post, liked: boolean) {
  store.patch(id, {
    liked_by_me: liked,
    likes_count: likes_count + Number(liked) - Number(liked_by_me),
  })
  const isSending = store.pendingLikes.has(id)
  store.pendingLikes.set(id, liked)
  if (isSending) return

  let confirmed: Partial<Post> = { liked_by_me, likes_count }
  try {
    let sent: boolean
    do {
      sent = store.pendingLikes.get(id)!
      const answer = await callEndpoint(sent ? postEndpoints.like : postEndpoints.unlike, { id })
      confirmed = { liked_by_me: answer.liked, likes_count: answer.likes_count }
    } while (store.pendingLikes.get(id) !== sent)
  } catch (error) {
    // A 404 after an unlike: the reader may no longer see the post, but the server has removed the like.
    if (store.pendingLikes.get(id) || !hasStatus(error, 404)) throw error
    confirmed = {}
  } finally {
    store.pendingLikes.delete(id)
    store.patch(id, confirmed)
  }
  refetchPosts(client)
}
