import ContentFooters from '#web/AddedContentParts.tsx'
import { type Post, postChannels } from '../contract.ts'
import './reply-count.css'
import { MessageCircle } from 'lucide-react'
import { defineTexts, useText } from '#web/i18n.ts'
import { pageData } from '#web/page-data.ts'
import * as realtime from '#web/realtime.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { Link } from '#web/ui/Link.tsx'
import * as store from './post-store.ts'

interface Props {
  post: Post
  hasReplyCount: boolean
}

/** Loaded after the list of posts is drawn. */
export default function FooterEnd({ post, hasReplyCount }: Props) {
  const { id, created_at: createdAt } = post
  return (
    <>
      {hasReplyCount && <ReplyCountLink post={post} />}
      <ContentFooters content={{ kind: 'post', id, createdAt, channel: postChannels.posts.name }} />
    </>
  )
}

const text = defineTexts({
  en: { replies: (n: number) => (n === 1 ? ' reply' : n ? ' replies' : 'Reply') },
  ja: { replies: (n: number) => (n ? '件の返信' : '返信する') },
})

/** The live events `ReplyCreated` and `ReplyDeleted` of the feature `replies` contain it. */
interface RepliesCountEvent {
  post_id: number
  replies_count: number
}

const setCount = ({ post_id, replies_count }: RepliesCountEvent) => store.patch(post_id, { replies_count })
if (pageData.app.features.includes('replies'))
  realtime.listen(postChannels.posts.name, {
    events: { ReplyCreated: setCount, ReplyDeleted: setCount },
  })

function ReplyCountLink({ post: { id, replies_count } }: { post: Post }) {
  const t = useText(text)
  if (!pageData.app.features.includes('replies')) return null
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
