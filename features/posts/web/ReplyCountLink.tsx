import './reply-count.css'
import { MessageCircle } from 'lucide-react'
import { defineTexts, useText } from '#web/i18n.ts'
import { initialPageData } from '#web/page-data.ts'
import { listenToChannel } from '#web/realtime.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { Link } from '#web/ui/Link.tsx'
import { type Post, postChannelDefinitions } from '../contract.ts'
import { patchPostInStore } from './post-store.ts'

const text = defineTexts({
  en: { replies: (n: number) => (n === 1 ? ' reply' : n ? ' replies' : 'Reply') },
  ja: { replies: (n: number) => (n ? '件の返信' : '返信する') },
})

/**
 * The fields of the live events `ReplyCreated` and `ReplyDeleted` of the feature `replies` that contain the
 * new number of replies to a post.
 */
interface RepliesCountEvent {
  post_id: number
  replies_count: number
}

const setCount = ({ post_id, replies_count }: RepliesCountEvent) =>
  patchPostInStore(post_id, { replies_count })
if (initialPageData.app.features.includes('replies'))
  listenToChannel(postChannelDefinitions.posts.name, {
    events: { ReplyCreated: setCount, ReplyDeleted: setCount },
  })

/** Renders the number of replies to a post as a link to the page of the post. */
export function ReplyCountLink({ post: { id, replies_count } }: { post: Post }) {
  const t = useText(text)
  if (!initialPageData.app.features.includes('replies')) return null
  return (
    <Link className="reply-count" href={`/posts/${id}`}>
      <Icon icon={MessageCircle} />
      <span>
        {replies_count || ''}
        <span className="visually-hidden">{t.replies(replies_count)}</span>
      </span>
    </Link>
  )
}
