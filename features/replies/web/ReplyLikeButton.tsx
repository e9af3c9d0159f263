import { Heart } from 'lucide-react'
import { callEndpoint } from '#web/api.ts'
import { isErrorWithStatus, showLogInPromptToast, useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { closeToast, showToast } from '#web/ui/Toasts.tsx'
import { type Reply, replyEndpoints } from '../contract.ts'
import { patchReplyInStore, pendingLikesAndUnlikesByReplyId } from './reply-store.ts'
import { repliesText } from './text.ts'

export function ReplyLikeButton({ reply }: { reply: Reply }) {
  const explain = useErrorFormatter()
  const t = useText(repliesText)
  const toastKey = `like reply ${reply.id}`
  const press = () => {
    // Takes the state of the like from `pendingLikesAndUnlikesByReplyId` if a request is running, and not
    // from the props, because the member may press again before React has rendered the first press.
    const liked = !(pendingLikesAndUnlikesByReplyId.get(reply.id) ?? reply.liked_by_me)
    setLike(reply, liked).then(
      () => closeToast(toastKey),
      (error: unknown) => {
        if (isErrorWithStatus(error, 401)) showLogInPromptToast()
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
 * Shows a changed like on the page at once, and then sends it to the server, one request at a time. If the
 * member presses again meanwhile, the state of the last press is sent too. After a failure, shows the last
 * state that the server confirmed.
 */
async function setLike({ id, post_id, liked_by_me, likes_count }: Reply, liked: boolean) {
  patchReplyInStore(post_id, id, {
    liked_by_me: liked,
    likes_count: likes_count + Number(liked) - Number(liked_by_me),
  })
  const isSending = pendingLikesAndUnlikesByReplyId.has(id)
  pendingLikesAndUnlikesByReplyId.set(id, liked)
  if (isSending) return
  let confirmed: Partial<Reply> = { liked_by_me, likes_count }
  try {
    let sent: boolean
    do {
      sent = pendingLikesAndUnlikesByReplyId.get(id)!
      const answer = await callEndpoint(sent ? replyEndpoints.like : replyEndpoints.unlike, { id })
      confirmed = { liked_by_me: answer.liked, likes_count: answer.likes_count }
    } while (pendingLikesAndUnlikesByReplyId.get(id) !== sent)
  } finally {
    pendingLikesAndUnlikesByReplyId.delete(id)
    patchReplyInStore(post_id, id, confirmed)
  }
}
