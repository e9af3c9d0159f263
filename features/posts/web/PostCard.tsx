import { LazyTextWithLinksMentionsAndTags } from '#web/LazyTextWithLinksMentionsAndTags.tsx'
import './post.css'
import { Pin } from 'lucide-react'
import { type CSSProperties, memo, Suspense, useEffect, useId, useRef, useState } from 'react'
import { toProfilePath } from '#features/people/contract.ts'
import { HandleShownForLookalikeName } from '#features/people/web/HandleShownForLookalikeName.tsx'
import { fetchListPage } from '#web/api.ts'
import { detectLanguageOfUserText, useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Link } from '#web/ui/Link.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { toRowAttributes, useFarRowHeight } from '#web/useFarRowHeight.ts'
import { type Post, postChannelDefinitions, postEndpoints, toPicturesHeightRatio } from '../contract.ts'
import { AttachedPictures } from './AttachedPictures.tsx'
import { LikeCountButton } from './LikeCountButton.tsx'
import { LikeCountForVisitors, PostLikeButton } from './PostLikeButton.tsx'
import { postsText } from './text.ts'

interface PostCardProps {
  post: Post
  /** Whether the reader is logged in, and can therefore like the post. */
  isMember: boolean
  /** Whether the reader sees the pictures of the post without scrolling when the page opens. */
  isAboveFold: boolean
  /**
   * Whether the card is on the page of this post alone. Then its text is not shortened, its full date is
   * shown, and the link to the replies is left out, because the replies are on the same page.
   */
  isStandalone?: boolean
}

/**
 * Renders a post. In a long list, a post that is far from the window has only its name and its text, for the
 * browser's search, and keeps its height.
 */
export const PostCard = memo(function PostCard(props: PostCardProps) {
  const t = useText(postsText)
  const ref = useRef<HTMLElement>(null)
  const [farHeight] = useFarRowHeight(ref)
  const { post, isStandalone } = props
  const { user, body } = post
  return (
    <article
      ref={ref}
      className="post card"
      data-post={post.id}
      data-anchor={post.id}
      data-replies={isStandalone ? undefined : Math.min(post.replies_count, 3)}
      tabIndex={-1}
      aria-label={t.postBy(user.name)}
      {...toRowAttributes(farHeight, toSizeEstimate(post))}
    >
      {farHeight === null ? <PostHeader {...props} /> : <UserText className="name">{user.name}</UserText>}
      {body && <PostText isUncut={isStandalone}>{body}</PostText>}
      {farHeight === null && <PostEnd {...props} />}
    </article>
  )
})

function PostHeader({ post, isMember, isStandalone }: PostCardProps) {
  const t = useText(postsText)
  const { user } = post
  return (
    <div className="post-header">
      {isMember ? (
        <Link href={toProfilePath(user)} aria-hidden="true" tabIndex={-1}>
          <Avatar person={user} />
        </Link>
      ) : (
        <Avatar person={user} />
      )}
      <div className="post-author">
        {isMember ? (
          <Link
            className="name"
            href={toProfilePath(user)}
            dir="auto"
            lang={detectLanguageOfUserText(user.name)}
          >
            {user.name}
          </Link>
        ) : (
          <UserText className="name">{user.name}</UserText>
        )}
        <span className="post-time">
          <HandleShownForLookalikeName person={user} />{' '}
          <Link href={toPostPath(post)}>
            <RelativeTime at={post.created_at} showFullDate={isStandalone} />
          </Link>
          {post.pinned && (
            <span className="pin-mark">
              <Icon icon={Pin} size="s" />
              {post.audience === 'group' ? t.pinnedInGroup : t.pinned}
            </span>
          )}
          {(post.audience || post.edited_at || post.bookmarked_by_me) && (
            <Suspense>
              <PostMarks post={post} />
            </Suspense>
          )}
        </span>
      </div>
      <Suspense fallback={<span className="post-menu-space" />}>
        <PostMenu post={post} />
      </Suspense>
    </div>
  )
}

/** Renders what a post has below its text. */
function PostEnd({ post, isMember, isAboveFold, isStandalone }: PostCardProps) {
  const { images } = post
  return (
    <>
      {images.length > 0 && <AttachedPictures images={images} isAboveFold={isAboveFold} />}
      {post.removed_images && (
        <Suspense>
          <ExpiredImagesNote count={post.removed_images} />
        </Suspense>
      )}
      <div className="post-footer">
        {isMember ? (
          <>
            <PostLikeButton post={post} />
            <LikeCountButton
              count={post.likes_count}
              queryKey={`${postEndpoints.likers.path} ${post.id}`}
              fetchPage={(from) => fetchListPage(postEndpoints.likers, { id: post.id }, from)}
            />
          </>
        ) : (
          <LikeCountForVisitors count={post.likes_count} />
        )}
        <Suspense fallback={<span className="likes" />}>
          <PostFooterEnd post={post} hasReplyCount={!isStandalone && (isMember || post.replies_count > 0)} />
        </Suspense>
      </div>
      {!isStandalone && <ListedPostEnd post={post} />}
    </>
  )
}

/** The width in pixels of the text of a post in wide windows. */
const TEXT_WIDTH = 634

/**
 * Returns the sizes from which post.css calculates the space for a post that is not laid out yet: the number
 * of lines of its text, and the height of its pictures divided by their width.
 */
function toSizeEstimate({ body, images }: Post) {
  const text = body ?? ''
  // Counts all letters as wide if the text has a Chinese, Japanese or Korean letter or an emoji.
  const lettersPerLine = Math.min(innerWidth, TEXT_WIDTH) / (/[\u2e80-\udfff]/.test(text) ? 18 : 9)
  const lines = text.split('\n').length + text.length / lettersPerLine
  return {
    // At most 14: twelve lines, and the button below a long text as two. Adds four for the preview of a link.
    '--text-lines': Math.min(lines, 14) + (text.includes('://') ? 4 : 0),
    '--pictures-ratio': toPicturesHeightRatio(images),
  } as CSSProperties
}

/**
 * The maximum numbers of letters and lines of a short text. A short text fits into twelve lines even on a
 * screen of 320 px, so the page does not measure its height.
 */
const SHORT_TEXT_LETTERS = 180
const SHORT_TEXT_LINES = 12

/**
 * Renders the text of a post with links. Unless `isUncut` is true, shows only the first twelve lines until
 * the reader asks for more.
 */
function PostText({ children: text, isUncut }: { children: string; isUncut?: boolean | undefined }) {
  const t = useText(postsText)
  const id = useId()
  const ref = useRef<HTMLDivElement>(null)
  const lines = text.split('\n').length
  const [isTooLong, setIsTooLong] = useState(!isUncut && lines > SHORT_TEXT_LINES)
  const [isOpen, setIsOpen] = useState(false)
  const maybeTooLong = !isUncut && (text.length > SHORT_TEXT_LETTERS || lines > SHORT_TEXT_LINES)

  useEffect(() => {
    const body = ref.current
    if (!maybeTooLong || isOpen || !body) return
    // Measures the height of the text only when it is near the visible area, because measuring forces a
    // layout. Does not use a ResizeObserver, which would report errors in WebKit.
    const measure = () => setIsTooLong(body.scrollHeight > body.clientHeight + 1)
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && measure(), {
      rootMargin: '50%',
    })
    observer.observe(body)
    return () => observer.disconnect()
  }, [maybeTooLong, isOpen])

  return (
    <>
      <div
        ref={ref}
        id={id}
        className={maybeTooLong && !isOpen ? 'prose clamped' : 'prose'}
        dir="auto"
        lang={detectLanguageOfUserText(text)}
      >
        <LazyTextWithLinksMentionsAndTags>{text}</LazyTextWithLinksMentionsAndTags>
      </div>
      {isTooLong && (
        <button
          type="button"
          className="show-more link"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? t.showLess : t.showMore}
        </button>
      )}
    </>
  )
}

/**
 * Renders the space below the buttons of a post in a list, where later features add parts such as the newest
 * replies. Until these are loaded, the space has the height that the newest replies will need (post.css), so
 * that nothing moves when they appear.
 */
const ListedPostEnd = ({ post: { id, created_at } }: { post: Post }) => (
  <div className="listed-post-end">
    <Suspense>
      <AddedListedPostParts
        content={{ kind: 'post', id, createdAt: created_at, channel: postChannelDefinitions.posts.name }}
      />
    </Suspense>
  </div>
)

const AddedListedPostParts = lazyWithRetry(() =>
  import('#web/AddedContentParts.tsx').then((module) => ({ default: module.ListedPostFootersFromFeatures })),
)
const PostMarks = lazyWithRetry(() => import('./PostMarks.tsx'))
const PostFooterEnd = lazyWithRetry(() => import('./PostFooterEnd.tsx'))
const ExpiredImagesNote = lazyWithRetry(() => import('./ExpiredImagesNote.tsx'))
const PostMenu = lazyWithRetry(() => import('./PostMenu.tsx'))

const toPostPath = ({ id }: Post) => `/posts/${id}`
