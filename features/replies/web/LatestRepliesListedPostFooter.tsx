import './latest-replies.css'
import { Image } from 'lucide-react'
import { useEffect } from 'react'
import { postStore } from '#features/posts/web/post-store.ts'
import type { PostReplyOrMessageInfo } from '#web/AddedContentParts.tsx'
import { detectLanguageOfUserText, useText } from '#web/i18n.ts'
import { LazyTextWithLinksMentionsAndTags } from '#web/LazyTextWithLinksMentionsAndTags.tsx'
import { useStore } from '#web/store.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Link } from '#web/ui/Link.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import type { LatestReply } from '../latest-contract.ts'
import { latestRepliesText } from './latest-replies-text.ts'
import { keepLatestRepliesUpToDate, latestReplyStore } from './latest-reply-store.ts'

/**
 * Returns the newest replies to a post in a list, newest first, and keeps them up to date. Returns undefined
 * until they are loaded.
 */
function useLatestReplies({ kind, id, createdAt, channel }: PostReplyOrMessageInfo, count: number) {
  const rows = useStore(latestReplyStore, ({ posts }) => posts.get(id))
  // Requests the newest replies again if there are none on the page although the number of replies has risen
  // without an event about the reply.
  const isMissing = rows === undefined && count > 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: see isMissing
  useEffect(
    () => keepLatestRepliesUpToDate({ kind, id, createdAt, channel }),
    [kind, id, createdAt, channel, isMissing],
  )
  return rows
}

/**
 * Renders the newest replies below a post in a list, the newest one last, as on the page of the post. If the
 * post has more replies, a link to all of them is above.
 */
export default function LatestRepliesListedPostFooter({ content }: { content: PostReplyOrMessageInfo }) {
  const t = useText(latestRepliesText)
  const count = useStore(postStore, ({ posts }) => posts.get(content.id)?.replies_count ?? 0)
  const rows = useLatestReplies(content, count)
  if (!rows) return null
  return (
    <div className="latest-replies">
      {rows.length > 0 && count > rows.length && (
        <Link className="all-replies" href={`/posts/${content.id}`}>
          {t.viewAll(count)}
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
  const t = useText(latestRepliesText)
  const { id, user, excerpt, images_count, mentions } = reply
  return (
    <li>
      <Avatar person={user} size="s" />
      <p dir="auto" lang={excerpt ? detectLanguageOfUserText(excerpt) : undefined}>
        <UserText className="author">{user.name}</UserText>{' '}
        {images_count > 0 && (
          <span className="picture-mark">
            <Icon icon={Image} size="s" />
            <span className={excerpt ? 'visually-hidden' : undefined}>{t.pictures(images_count)}</span>{' '}
          </span>
        )}
        {mentions && (
          <>
            <span className="mention">
              @<UserText>{mentions.name}</UserText>
            </span>{' '}
          </>
        )}
        {excerpt && <LazyTextWithLinksMentionsAndTags>{excerpt}</LazyTextWithLinksMentionsAndTags>}
      </p>
      <Link className="reply-time" href={`/posts/${post}?reply=${id}`}>
        <span className="visually-hidden">{t.replyBy(user.name)}</span>
        <RelativeTime at={reply.created_at} />
      </Link>
    </li>
  )
}
