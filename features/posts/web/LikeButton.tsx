import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { Heart } from 'lucide-react'
import { useState } from 'react'
import { api } from '#web/api.ts'
import { isHttpError, pleaseLogIn, useExplain } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { closeToast, toast } from '#web/ui/Toasts.tsx'
import { type Post, posts } from '../contract.ts'
import { refetchShown } from './post-queries.ts'
import { likesUnderWay, patchPost } from './post-store.ts'
import { postsText } from './text.ts'

/** Milliseconds of the animations of `.like[data-just]` in post.css. */
const BEAT = 520

export function LikeButton({ post }: { post: Post }) {
  const client = useQueryClient()
  const [just, setJust] = useState(false)
  const explain = useExplain()
  const t = useText(postsText)

  const press = () => {
    // A second press may come before the first one is drawn.
    const liked = !(likesUnderWay.get(post.id) ?? post.liked_by_me)
    setJust(liked)
    if (liked) setTimeout(setJust, BEAT, false)
    const failure = `like ${post.id}`
    setLike(client, post, liked).then(
      () => closeToast(failure),
      (error: unknown) => {
        if (isHttpError(error, 401)) pleaseLogIn()
        else toast(explain(error), { key: failure, kind: 'bad' })
      },
    )
  }
  return (
    <button
      type="button"
      className="like"
      aria-pressed={post.liked_by_me}
      data-just={just || undefined}
      onClick={press}
    >
      <span className="hide">{t.like} </span>
      <span className="heart">
        <Icon of={Heart} />
        <Icon of={Heart} className="full" />
      </span>
      <span className="count">{post.likes_count || ''}</span>
    </button>
  )
}

/** For visitors: the number of likes, without a button. */
export function Likes({ count }: { count: number }) {
  const t = useText(postsText)
  if (!count) return null
  return (
    <span className="likes">
      <Icon of={Heart} />
      <span>
        {count}
        <span className="hide">{t.likes(count)}</span>
      </span>
    </span>
  )
}

/** Shows a like at once and sends one request at a time: the last press wins, and a failure undoes it. */
async function setLike(client: QueryClient, { id, liked_by_me, likes_count }: Post, liked: boolean) {
  patchPost(id, {
    liked_by_me: liked,
    likes_count: likes_count + Number(liked) - Number(liked_by_me),
  })
  const busy = likesUnderWay.has(id)
  likesUnderWay.set(id, liked)
  if (busy) return

  let known: Partial<Post> = { liked_by_me, likes_count }
  try {
    let sent: boolean
    do {
      sent = likesUnderWay.get(id)!
      const answer = await api(sent ? posts.like : posts.unlike, { id })
      known = { liked_by_me: answer.liked, likes_count: answer.likes_count }
    } while (likesUnderWay.get(id) !== sent)
  } finally {
    likesUnderWay.delete(id)
    patchPost(id, known)
  }
  refetchShown(client)
}
