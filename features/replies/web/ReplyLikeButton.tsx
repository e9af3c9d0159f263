import '#features/posts/web/post.css'
import { Heart } from 'lucide-react'
import { callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { closeToast, showToast } from '#web/ui/Toasts.tsx'
import { type Reply, replyEndpoints } from '../contract.ts'
import * as store from './reply-store.ts'
import { repliesText } from './text.ts'

export function ReplyLikeButton({ reply }: { reply: Reply }) {
  const explain = useErrorText()
  const t = useText(repliesText)
  const toastKey = `like reply ${reply.id}`
  const press = () => {
    // Not from the props while a request is running, because the member may press again before React has
    // rendered the first press.
    const liked = !(store.pendingLikes.get(reply.id) ?? reply.liked_by_me)
    setLike(reply, liked).then(
      () => closeToast(toastKey),
      (error: unknown) => {
        if (hasStatus(error, 401)) showLogInToast()
        else showToast(t.likeFailed(liked) + explain(error), { key: toastKey, kind: 'error' })
      },
    )
  }
  return (
    <button type="button" className="like" aria-pressed={reply.liked_by_me} onClick={press}>
      <span className="visually-hidden">{t.like}</span>
      <span className="heart">
        <Icon icon={Heart} />
        <Icon icon={Heart} className="filled" />
      </span>
    </button>
  )
}

/**
 * Shows a like at once, and sends one request at a time. If the member presses again meanwhile, the last
 * state is sent too. After a failure, shows the last state that the server confirmed.
 */
async function setLike({ id, post_id, liked_by_me, likes_count }: Reply, liked: boolean) {
  store.patch(post_id, id, {
    liked_by_me: liked,
    likes_count: likes_count + Number(liked) - Number(liked_by_me),
  })
  const isSending = store.pendingLikes.has(id)
  store.pendingLikes.set(id, liked)
  if (isSending) return
  let confirmed: Partial<Reply> = { liked_by_me, likes_count }
  try {
    let sent: boolean
    do {
      sent = store.pendingLikes.get(id)!
      const answer = await callEndpoint(sent ? replyEndpoints.like : replyEndpoints.unlike, { id })
      confirmed = { liked_by_me: answer.liked, likes_count: answer.likes_count }
    } while (store.pendingLikes.get(id) !== sent)
  } finally {
    store.pendingLikes.delete(id)
    store.patch(post_id, id, confirmed)
  }
}
