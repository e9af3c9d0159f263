import { ArrowUp, Image, RotateCw } from 'lucide-react'
import {
  type ReactNode,
  startTransition,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Link } from 'wouter'
import type { Me } from '#features/people/contract.ts'
import { PleaseLogIn } from '#features/people/web/PleaseLogIn.tsx'
import { isHttpError, useExplain } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { NotLoaded } from '#web/NotLoaded.tsx'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PostSkeleton } from '#web/ui/Skeleton.tsx'
import type { Post } from '../contract.ts'
import { PostCard } from './PostCard.tsx'
import { type List, useNewest, usePages } from './post-lists.tsx'
import { postsText } from './text.ts'
import { useOnScreen } from './useOnScreen.tsx'
import { usePostShortcuts } from './usePostShortcuts.tsx'

interface PostsProps {
  list: List
  me: Me | null
  /** In place of a list without posts. */
  empty: ReactNode
  /** Above the list, whatever becomes of it. */
  notice?: ReactNode
}

/** A list of posts, whole: waiting, failed, empty, or there. */
export function Posts({ notice, ...rest }: PostsProps) {
  const pages = usePages(rest.list)
  const shown = pages.data
  return (
    <div className="posts">
      {shown && <NewPostsPill list={rest.list} />}
      {notice}
      {shown ? (
        <Shown {...rest} pages={pages} rows={shown.pages.flatMap((page) => page.rows)} />
      ) : (
        <NotYet {...rest} pages={pages} />
      )}
    </div>
  )
}

type Pages = ReturnType<typeof usePages>

function NotYet({ list, me, pages }: Pick<PostsProps, 'list' | 'me'> & { pages: Pages }) {
  if (!pages.isError) return <PostSkeleton count={3} above={me && !list.author && <Prompt me={me} />} />
  if (isHttpError(pages.error, 401)) return <PleaseLogIn />
  return <NotLoaded error={pages.error} pending={pages.isFetching} onRetry={() => pages.refetch()} />
}

/** Posts that are drawn in one go: they fill a phone's screen, and keep nobody waiting. */
const PIECE = 3
/** Not where one comes back to, or reloads: what one was looking at may be far below. */
let isFirstPaint = !(history.state as { at?: string } | null)?.at

/** What is loaded is drawn piece by piece, and what the reader does comes between. */
function usePaced(rows: Post[]) {
  const [drawn, setDrawn] = useState(() => (isFirstPaint ? 0 : rows.length))
  const most = drawn + PIECE
  useEffect(() => {
    isFirstPaint = false
    if (drawn < rows.length) startTransition(() => setDrawn(Math.min(most, rows.length)))
  }, [drawn, most, rows.length])
  return rows.length > most ? rows.slice(0, most) : rows
}

function Shown({ list, me, empty, pages, rows: all }: PostsProps & { pages: Pages; rows: Post[] }) {
  const t = useText(postsText)
  const rows = usePaced(all)
  const seen = useOnScreen(list, me?.id ?? 0, rows)
  // Beneath one's own new post alone it would say nothing.
  const line = rows.slice(0, seen).some(({ user }) => user.id !== me?.id) ? seen : 0
  usePostShortcuts()
  if (!rows.length) return empty
  const card = (post: Post) => (
    <PostCard key={post.id} post={post} member={me !== null} first={post === rows[0]} />
  )
  return (
    <>
      <div className="boards flush">
        {me && !list.author && <Prompt me={me} />}
        {(line ? rows.slice(0, line) : rows).map(card)}
      </div>
      {line > 0 && (
        <>
          <p className="seen-line">{t.seen}</p>
          <div className="boards flush">{rows.slice(line).map(card)}</div>
        </>
      )}
      {rows === all && <Footer pages={pages} />}
    </>
  )
}

const Prompt = ({ me }: { me: Me }) => (
  <Link className="prompt" href="/post">
    <Avatar person={me} size="s" />
    <span>{useText(postsText).prompt}</span>
    <Icon of={Image} />
  </Link>
)

function NewPostsPill({ list }: { list: List }) {
  const t = useText(postsText)
  const { waiting, more, show } = useNewest(list)
  const words = waiting ? t.newPosts(waiting, more) : ''
  const inserting = useRef(false)
  const insert = () => {
    inserting.current = true
    show()
  }
  // Only once they stand there: the pill, which had the focus, is gone then.
  useLayoutEffect(() => {
    if (!inserting.current || waiting) return
    inserting.current = false
    window.scrollTo(0, 0)
    document.querySelector<HTMLElement>('article[data-post]')?.focus({ preventScroll: true })
  }, [waiting])
  return (
    <div className="pill-place">
      <p className="hide" role="status">
        {words}
      </p>
      {waiting > 0 && (
        <button type="button" className="pill" onClick={insert}>
          <Icon of={ArrowUp} size="s" />
          {words}
        </button>
      )}
    </div>
  )
}

/** Fetches the next page long before the end is in sight; says how that goes. */
function Footer({ pages }: { pages: Pages }) {
  const t = useText(postsText)
  const explain = useExplain()
  const ref = useRef<HTMLDivElement>(null)
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError } = pages
  const more = () => pages.fetchNextPage({ cancelRefetch: false })
  const near = useEffectEvent(() => void more())
  const asks = hasNextPage && !isFetchingNextPage && !isFetchNextPageError
  useEffect(() => {
    if (!asks) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && near(), {
      rootMargin: '1500px',
    })
    observer.observe(ref.current!)
    return () => observer.disconnect()
  }, [asks])

  if (isFetchingNextPage) return <PostSkeleton count={2} />
  if (isFetchNextPageError)
    return (
      <div className="list-end">
        <Notice kind="bad">{explain(pages.error)}</Notice>
        <Button icon={RotateCw} onClick={more}>
          {t.retry}
        </Button>
      </div>
    )
  return (
    <div className="list-end" ref={ref}>
      {hasNextPage ? <Button onClick={more}>{t.loadMore}</Button> : <p className="meta">{t.noMore}</p>}
    </div>
  )
}
