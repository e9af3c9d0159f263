import './post.css'
import { Ellipsis, Heart, Link2, ShieldCheck, Trash2 } from 'lucide-react'
import { lazy, memo, Suspense, useEffect, useId, useRef, useState } from 'react'
import { Link } from 'wouter'
import { toProfilePath } from '#features/people/contract.ts'
import { SharedNameHandle } from '#features/people/web/SharedNameHandle.tsx'
import { fetchListPage } from '#web/api.ts'
import { copyTextToClipboard } from '#web/clipboard.ts'
import { detectLanguageOfUserText, useText } from '#web/i18n.ts'
import { linkifyUrlsAndEmails } from '#web/links.tsx'
import { useMe } from '#web/me.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Menu, MenuItemButton } from '#web/ui/Menu.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { type Post, postEndpoints } from '../contract.ts'
import { LikeButton, LikeCount } from './LikeButton.tsx'
import { Pictures } from './Pictures.tsx'
import { postsText } from './text.ts'

interface PostCardProps {
  post: Post
  /** Whether the reader is logged in, and can like the post. */
  isMember: boolean
  /** Whether the pictures are visible without scrolling. */
  isAboveFold: boolean
  /**
   * Whether the card is the only post of its page. Then its text is not shortened, its full date is shown,
   * and the link to the replies is left out, because the replies are on the same page.
   */
  isStandalone?: boolean
}

export const PostCard = memo(function PostCard({ post, isMember, isAboveFold, isStandalone }: PostCardProps) {
  const t = useText(postsText)
  const { user, body, images } = post
  return (
    <article
      className="post card"
      data-post={post.id}
      data-anchor={post.id}
      data-pictures={images.length || undefined}
      tabIndex={-1}
      aria-label={t.postBy(user.name)}
    >
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
            <SharedNameHandle person={user} />{' '}
            <Link href={toPostPath(post)}>
              <RelativeTime at={post.created_at} showFullDate={isStandalone} />
            </Link>
            {post.audience && (
              <Suspense>
                <AudienceMark audience={post.audience} group={post.group_id} />
              </Suspense>
            )}
          </span>
        </div>
        <PostMenu post={post} />
      </div>
      {body && <PostText isUncut={isStandalone}>{body}</PostText>}
      {images.length > 0 && <Pictures images={images} isAboveFold={isAboveFold} />}
      {post.removed_images && (
        <Suspense>
          <RemovedImagesNote count={post.removed_images} />
        </Suspense>
      )}
      <div className="post-footer">
        {isMember ? <LikeButton post={post} /> : <LikeCount count={post.likes_count} />}
        {!isStandalone && (isMember || post.replies_count > 0) && (
          <Suspense fallback={<span className="likes" />}>
            <ReplyCount post={post} />
          </Suspense>
        )}
      </div>
    </article>
  )
})

/**
 * The limits of a short text. Such a text fits into twelve lines even on a screen of 320 px, so its height is
 * not measured.
 */
const SHORT_TEXT = { letters: 180, lines: 12 }

/**
 * The text of a post, with links. Unless `isUncut`, shows only the first twelve lines until the reader asks
 * for more.
 */
function PostText({ children: text, isUncut }: { children: string; isUncut?: boolean | undefined }) {
  const t = useText(postsText)
  const id = useId()
  const ref = useRef<HTMLDivElement>(null)
  const lines = text.split('\n').length
  const [isTooLong, setIsTooLong] = useState(!isUncut && lines > SHORT_TEXT.lines)
  const [isOpen, setIsOpen] = useState(false)
  const maybeTooLong = !isUncut && (text.length > SHORT_TEXT.letters || lines > SHORT_TEXT.lines)

  useEffect(() => {
    const body = ref.current
    if (!maybeTooLong || isOpen || !body) return
    // Measures the height only when the text is near the visible area, because measuring forces a layout.
    // Does not use a ResizeObserver, which would report errors in WebKit.
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
        {linkifyUrlsAndEmails(text)}
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

const AudienceMark = lazy(() => import('./AudienceMark.tsx'))
const ReplyCount = lazy(() => import('./ReplyCount.tsx'))
const RemovedImagesNote = lazy(() => import('./RemovedImagesNote.tsx'))
const DeletePostDialog = lazy(() => import('./DeletePostDialog.tsx'))
const PeopleDialog = lazy(() => import('#features/people/web/PeopleDialog.tsx'))

const toPostPath = ({ id }: Post) => `/posts/${id}`

function PostMenu({ post }: { post: Post }) {
  const t = useText(postsText)
  const me = useMe()
  const [isConfirming, setIsConfirming] = useState(false)
  const [showsLikers, setShowsLikers] = useState(false)
  const isOwn = me?.id === post.user.id
  const copy = () =>
    copyTextToClipboard(new URL(toPostPath(post), location.origin).href).then(
      () => showToast(t.copied, { key: 'link' }),
      () => showToast(t.notCopied, { key: 'link', kind: 'error' }),
    )
  return (
    <>
      <Menu
        label={t.more}
        renderButton={(props) => (
          <Button
            {...props}
            kind="ghost"
            iconOnly
            className="post-menu"
            icon={Ellipsis}
            label={t.moreAbout(post.user.name)}
          />
        )}
      >
        <MenuItemButton icon={Link2} onPress={copy}>
          {t.copyLink}
        </MenuItemButton>
        {me && post.likes_count > 0 && (
          <MenuItemButton icon={Heart} onPress={() => setShowsLikers(true)}>
            {t.whoLiked}
          </MenuItemButton>
        )}
        {me && !isOwn && (
          <MenuItemButton icon={ShieldCheck} onPress={() => location.assign(`/report/post/${post.id}`)}>
            {t.report}
          </MenuItemButton>
        )}
        {(isOwn || me?.is_admin) && (
          <>
            <hr />
            <MenuItemButton icon={Trash2} danger onPress={() => setIsConfirming(true)}>
              {t.deletePost}
            </MenuItemButton>
          </>
        )}
      </Menu>
      {showsLikers && (
        <Suspense>
          <PeopleDialog
            list="likes"
            count={post.likes_count}
            queryKey={`${postEndpoints.likers.path} ${post.id}`}
            fetchPage={(from) => fetchListPage(postEndpoints.likers, { id: post.id }, from)}
            onClose={() => setShowsLikers(false)}
          />
        </Suspense>
      )}
      {isConfirming && (
        <Suspense>
          <DeletePostDialog post={post} isOwn={isOwn} onClose={() => setIsConfirming(false)} />
        </Suspense>
      )}
    </>
  )
}
