import './post.css'
import { Ellipsis, Heart, Link2, Trash2 } from 'lucide-react'
import { lazy, memo, Suspense, useEffect, useId, useRef, useState } from 'react'
import { Link } from 'wouter'
import { profilePath } from '#features/people/contract.ts'
import { api, apiPage } from '#web/api.ts'
import { copyText } from '#web/clipboard.ts'
import { isHttpError, useExplain } from '#web/errors.ts'
import { langOf, useText } from '#web/i18n.ts'
import { withLinks } from '#web/links.tsx'
import { useMe } from '#web/me.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Menu, MenuButton } from '#web/ui/Menu.tsx'
import { Name } from '#web/ui/Name.tsx'
import { Time } from '#web/ui/Time.tsx'
import { toast } from '#web/ui/Toasts.tsx'
import { type Post, posts } from '../contract.ts'
import { LikeButton, Likes } from './LikeButton.tsx'
import { Pictures } from './Pictures.tsx'
import { removePost } from './post-store.ts'
import { postsText } from './text.ts'

interface PostCardProps {
  post: Post
  /** Whether the reader is a member, and may like it. */
  member: boolean
  /** Whether its pictures are visible without scrolling. */
  first: boolean
  /** On a page of its own, where the text is not shortened. */
  alone?: boolean
}

export const PostCard = memo(function PostCard({ post, member, first, alone }: PostCardProps) {
  const t = useText(postsText)
  const { user, body, images } = post
  return (
    <article
      className="post board"
      data-post={post.id}
      data-anchor={post.id}
      data-pictures={images.length || undefined}
      tabIndex={-1}
      aria-label={t.postBy(user.name)}
    >
      <div className="by">
        {member ? (
          <Link href={profilePath(user)} aria-hidden="true" tabIndex={-1}>
            <Avatar person={user} />
          </Link>
        ) : (
          <Avatar person={user} />
        )}
        <div className="who">
          {member ? (
            <Link className="name" href={profilePath(user)} dir="auto" lang={langOf(user.name)}>
              {user.name}
            </Link>
          ) : (
            <Name className="name">{user.name}</Name>
          )}
          <span className="when">
            <Link href={postPath(post)}>
              <Time at={post.created_at} whole={alone} />
            </Link>
          </span>
        </div>
        <PostMenu post={post} />
      </div>
      {body && <PostText whole={alone}>{body}</PostText>}
      {images.length > 0 && <Pictures images={images} first={first} />}
      <div className="under">{member ? <LikeButton post={post} /> : <Likes count={post.likes_count} />}</div>
    </article>
  )
})

/** A text with fewer letters and lines fits into twelve lines even at 320 px, so it is not measured. */
const SHORT = { letters: 180, lines: 12 }

/** The text of a post, with links. More than twelve lines are shortened until the reader opens them. */
function PostText({ children: text, whole }: { children: string; whole?: boolean | undefined }) {
  const t = useText(postsText)
  const id = useId()
  const ref = useRef<HTMLDivElement>(null)
  const lines = text.split('\n').length
  const [over, setOver] = useState(!whole && lines > SHORT.lines)
  const [open, setOpen] = useState(false)
  const maybeLong = !whole && (text.length > SHORT.letters || lines > SHORT.lines)

  useEffect(() => {
    const body = ref.current
    if (!maybeLong || open || !body) return
    // Only near the window, because reading a height forces the layout. A ResizeObserver would report errors
    // in WebKit.
    const measure = () => setOver(body.scrollHeight > body.clientHeight + 1)
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && measure(), {
      rootMargin: '50%',
    })
    observer.observe(body)
    return () => observer.disconnect()
  }, [maybeLong, open])

  return (
    <>
      <div
        ref={ref}
        id={id}
        className={maybeLong && !open ? 'body long' : 'body'}
        dir="auto"
        lang={langOf(text)}
      >
        {withLinks(text)}
      </div>
      {over && (
        <button
          type="button"
          className="unfold link"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          {open ? t.showLess : t.showMore}
        </button>
      )}
    </>
  )
}

const loadConfirm = async () => ({ default: (await import('#web/ui/Confirm.tsx')).Confirm<Deleted> })
const Confirm = lazy(loadConfirm)
const PeopleDialog = lazy(() => import('#features/people/web/PeopleDialog.tsx'))

const postPath = ({ id }: Post) => `/posts/${id}`

function PostMenu({ post }: { post: Post }) {
  const t = useText(postsText)
  const me = useMe()
  const explain = useExplain()
  const [asking, setAsking] = useState(false)
  const [showingLikers, setShowingLikers] = useState(false)
  const own = me?.id === post.user.id
  const copy = () =>
    copyText(new URL(postPath(post), location.origin).href).then(
      () => toast(t.copied, { key: 'link' }),
      () => toast(t.notCopied, { key: 'link', kind: 'bad' }),
    )
  // Loaded before it is drawn, so that a failure shows a message and does not break the page.
  const ask = () =>
    loadConfirm().then(
      () => setAsking(true),
      (error: unknown) => toast(explain(error), { kind: 'bad' }),
    )
  return (
    <>
      <Menu
        label={t.more}
        button={(props) => (
          <Button
            {...props}
            kind="bare"
            only
            className="more"
            icon={Ellipsis}
            label={t.moreAbout(post.user.name)}
          />
        )}
      >
        <MenuButton icon={Link2} onPress={copy}>
          {t.copyLink}
        </MenuButton>
        {me && post.likes_count > 0 && (
          <MenuButton icon={Heart} onPress={() => setShowingLikers(true)}>
            {t.whoLiked}
          </MenuButton>
        )}
        {(own || me?.is_admin) && (
          <>
            <hr />
            <MenuButton icon={Trash2} danger onPress={ask}>
              {t.deletePost}
            </MenuButton>
          </>
        )}
      </Menu>
      {showingLikers && (
        <Suspense>
          <PeopleDialog
            title={t.whoLiked}
            list={`${posts.likers.path} ${post.id}`}
            page={(from) => apiPage(posts.likers, { id: post.id }, from)}
            onClose={() => setShowingLikers(false)}
          />
        </Suspense>
      )}
      {asking && (
        <Suspense>
          <Confirm
            title={own ? t.deleteAsk : t.deleteAskOf(post.user.name)}
            verb={t.deletePost}
            keep={t.keepPost}
            fatal
            run={() => remove(post)}
            onDone={(deleted) => removeFromPage(post, deleted)}
            onClose={() => setAsking(false)}
          >
            {t.deleteHelp}
          </Confirm>
        </Suspense>
      )}
    </>
  )
}

type Deleted = Awaited<ReturnType<typeof remove>>

const remove = ({ id }: Post) =>
  api(posts.remove, { id }).catch((failure: unknown) => {
    if (isHttpError(failure, 404)) removePost(id)
    throw failure
  })

/** Moves the focus to the next post, the one before, or the page's title. */
function removeFromPage({ id }: Post, { message }: Deleted) {
  const all = [...document.querySelectorAll<HTMLElement>('article[data-post]')]
  const at = all.findIndex(({ dataset }) => dataset.post === String(id))
  const next = all[at + 1] ?? all[at - 1] ?? document.querySelector<HTMLElement>('#main h1')
  requestAnimationFrame(() => next?.focus({ preventScroll: true }))
  removePost(id)
  toast(message)
}
