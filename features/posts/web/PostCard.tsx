import { LazyLinkedText } from '#web/LazyLinkedText.tsx'
import './post.css'
import { Pin } from 'lucide-react'
import { type CSSProperties, memo, Suspense, useEffect, useId, useRef, useState } from 'react'
import { profilePath } from '#features/people/contract.ts'
import { SharedHandle } from '#features/people/web/SharedHandle.tsx'
import { fetchPage } from '#web/api.ts'
import { detectLanguage, useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Link } from '#web/ui/Link.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { rowAttributes, useFarRowHeight } from '#web/useFarRowHeight.ts'
import { heightRatio, type Post, postChannels, postEndpoints } from '../contract.ts'
import { AttachedPictures } from './AttachedPictures.tsx'
import { LikeCountButton } from './LikeCountButton.tsx'
import { PostLikeButton, VisitorLikes } from './PostLikeButton.tsx'
import { postsText } from './text.ts'

interface Props {
  post: Post
  isMember: boolean
  /** The reader sees the pictures without scrolling when the page opens. */
  isAboveFold: boolean
  /** On the page of this post alone: the whole text, the full date, and no link to the replies below it. */
  isStandalone?: boolean
}

/**
 * In a long list, a post far from the window keeps its height, and its name and text for the browser's
 * search.
 */
export const PostCard = memo(function PostCard(props: Props) {
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
      {...rowAttributes(farHeight, toSizeEstimate(post))}
    >
      {farHeight === null ? <PostHeader {...props} /> : <UserText className="name">{user.name}</UserText>}
      {body && <PostText isUncut={isStandalone}>{body}</PostText>}
      {farHeight === null && <PostEnd {...props} />}
    </article>
  )
})

function PostHeader({ post, isMember, isStandalone }: Props) {
  const t = useText(postsText)
  const { user } = post
  return (
    <div className="post-header">
      {isMember ? (
        <Link href={profilePath(user)} aria-hidden="true" tabIndex={-1}>
          <Avatar person={user} />
        </Link>
      ) : (
        <Avatar person={user} />
      )}
      <div className="post-author">
        {isMember ? (
          <Link className="name" href={profilePath(user)} dir="auto" lang={detectLanguage(user.name)}>
            {user.name}
          </Link>
        ) : (
          <UserText className="name">{user.name}</UserText>
        )}
        <span className="post-time">
          <SharedHandle person={user} />{' '}
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
              <Marks post={post} />
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

function PostEnd({ post, isMember, isAboveFold, isStandalone }: Props) {
  const { images } = post
  return (
    <>
      {images.length > 0 && <AttachedPictures images={images} isAboveFold={isAboveFold} />}
      {(post.files || post.removed_images) && (
        <Suspense fallback={<div className="post-files-space" />}>
          <PostFiles post={post} />
        </Suspense>
      )}
      <div className="post-footer">
        {isMember ? (
          <>
            <PostLikeButton post={post} />
            <LikeCountButton
              count={post.likes_count}
              queryKey={`${postEndpoints.likers.path} ${post.id}`}
              fetchPage={(from) => fetchPage(postEndpoints.likers, { id: post.id }, from)}
            />
          </>
        ) : (
          <VisitorLikes count={post.likes_count} />
        )}
        <Suspense fallback={<span className="likes" />}>
          <FooterEnd post={post} hasReplyCount={!isStandalone && (isMember || post.replies_count > 0)} />
        </Suspense>
      </div>
      {!isStandalone && <ListedPostEnd post={post} />}
    </>
  )
}

/** In pixels, in wide windows. */
const TEXT_WIDTH = 634

/** From these sizes, post.css calculates the space for a post that is not laid out yet. */
function toSizeEstimate({ body, images }: Post) {
  const text = body ?? ''
  // All letters count as wide if the text has a Chinese, Japanese or Korean letter or an emoji.
  const lettersPerLine = Math.min(innerWidth, TEXT_WIDTH) / (/[\u2e80-\udfff]/.test(text) ? 18 : 9)
  const lines = text.split('\n').length + text.length / lettersPerLine
  return {
    // Twelve lines, and the button below a long text as two. The preview of a link is four.
    '--text-lines': Math.min(lines, 14) + (text.includes('://') ? 4 : 0),
    '--pictures-ratio': heightRatio(images),
  } as CSSProperties
}

/** Fits into twelve lines even on a screen of 320 px, so the page does not measure the height. */
const SHORT_TEXT_LETTERS = 180
const SHORT_TEXT_LINES = 12

/** More than twelve lines have, at every width and size of text. */
const CLOSED_LETTERS = 2000
const CLOSED_LINES = 20

/** What can be seen of a long text that is closed; a browser would draw thousands of lines for nothing. */
const beginningOf = (text: string) =>
  text.split('\n', CLOSED_LINES).join('\n').slice(0, CLOSED_LETTERS).toWellFormed()

/** Shows only the first twelve lines until the reader asks for more, unless `isUncut` is true. */
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
    // Only near the visible area, because measuring forces a layout. A ResizeObserver would report errors in
    // WebKit.
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
        lang={detectLanguage(text)}
      >
        <LazyLinkedText>{maybeTooLong && !isOpen ? beginningOf(text) : text}</LazyLinkedText>
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
 * Later features add parts such as the newest replies here. Until these are loaded, the space has the height
 * that they will need (post.css), so that nothing moves when they appear.
 */
const ListedPostEnd = ({ post: { id, created_at } }: { post: Post }) => (
  <div className="listed-post-end">
    <Suspense>
      <AddedParts content={{ kind: 'post', id, createdAt: created_at, channel: postChannels.posts.name }} />
    </Suspense>
  </div>
)

const AddedParts = lazyWithRetry(() =>
  import('#web/AddedContentParts.tsx').then((module) => ({ default: module.ListedFooters })),
)
const Marks = lazyWithRetry(() => import('./Marks.tsx'))
const FooterEnd = lazyWithRetry(() => import('./FooterEnd.tsx'))
const PostFiles = lazyWithRetry(() => import('./PostFiles.tsx'))
const PostMenu = lazyWithRetry(() => import('./PostMenu.tsx'))

const toPostPath = ({ id }: Post) => `/posts/${id}`
