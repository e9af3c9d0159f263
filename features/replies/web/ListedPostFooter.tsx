import './latest-replies.css'
import { Image, Paperclip } from 'lucide-react'
import { useEffect } from 'react'
import * as postStore from '#features/posts/web/post-store.ts'
import type { ContentInfo } from '#web/AddedContentParts.tsx'
import { detectLanguage, useText } from '#web/i18n.ts'
import { LazyLinkedText } from '#web/LazyLinkedText.tsx'
import { useStore } from '#web/store.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Link } from '#web/ui/Link.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { LATEST_PER_POST, type LatestReply } from '../contract.ts'
import { latestText } from './latest-replies-text.ts'
import { keepLatest, latestStore } from './latest-reply-store.ts'

/** Newest first; undefined until they are loaded. */
function useLatestReplies({ kind, id, createdAt, channel }: ContentInfo, count: number) {
  const rows = useStore(latestStore, ({ posts }) => posts.get(id))
  // The number of replies has risen without an event about the reply.
  const isMissing = rows === undefined && count > 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: see isMissing
  useEffect(() => keepLatest({ kind, id, createdAt, channel }), [kind, id, createdAt, channel, isMissing])
  return rows
}

/** The newest reply is last, as on the page of the post. */
export default function ListedPostFooter({ content }: { content: ContentInfo }) {
  const t = useText(latestText)
  const count = useStore(postStore.state, ({ posts }) => posts.get(content.id)?.replies_count ?? 0)
  const rows = useLatestReplies(content, count)
  if (!rows) return null
  // `count` has also replies that the reader does not see.
  const isLonger = rows.length === LATEST_PER_POST && count > rows.length
  return (
    <div className="latest-replies">
      {isLonger && (
        <Link className="all-replies" href={`/posts/${content.id}`}>
          {t.viewAll}
        </Link>
      )}
      {rows.length > 0 && (
        <ul aria-label={t.label}>
          {rows.toReversed().map((reply) => (
            <LatestReplyRow key={reply.id} post={content.id} reply={reply} />
          ))}
        </ul>
      )}
    </div>
  )
}

function LatestReplyRow({ post, reply }: { post: number; reply: LatestReply }) {
  const t = useText(latestText)
  const { id, user, excerpt, images_count, files_count, mentions } = reply
  return (
    <li>
      <Avatar person={user} size="s" />
      <p dir="auto" lang={excerpt ? detectLanguage(excerpt) : undefined}>
        <UserText className="author">{user.name}</UserText>{' '}
        {images_count > 0 && (
          <span className="picture-mark">
            <Icon icon={Image} size="s" />
            <span className={excerpt ? 'visually-hidden' : undefined}>{t.pictures(images_count)}</span>{' '}
          </span>
        )}
        {files_count && (
          <span className="picture-mark">
            <Icon icon={Paperclip} size="s" />
            <span className={excerpt ? 'visually-hidden' : undefined}>{t.files(files_count)}</span>{' '}
          </span>
        )}
        {mentions && (
          <>
            <span className="mention">
              @<UserText>{mentions.name}</UserText>
            </span>{' '}
          </>
        )}
        {excerpt && <LazyLinkedText isInline>{excerpt}</LazyLinkedText>}
      </p>
      <Link className="reply-time" href={`/posts/${post}?reply=${id}`}>
        <span className="visually-hidden">{t.replyBy(user.name)}</span>
        <RelativeTime at={reply.created_at} />
      </Link>
    </li>
  )
}
