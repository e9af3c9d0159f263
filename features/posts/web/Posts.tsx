import './posts.css'
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
import { useExplain } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { readLocal, writeLocal } from '#web/local-storage.ts'
import { NotLoaded } from '#web/NotLoaded.tsx'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { PostSkeleton } from '#web/ui/Loading.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import type { Post } from '../contract.ts'
import { PostCard } from './PostCard.tsx'
import { usePostList } from './post-queries.ts'
import { type PostList, showWaiting } from './post-store.ts'
import { postsText } from './text.ts'
import { usePostShortcuts } from './usePostShortcuts.ts'

interface PostsProps {
  /** Its address. */
  list: string
  ofOneAuthor?: boolean
  me: Me | null
  /** Shown in place of a list without posts. */
  empty: ReactNode
  /** Shown above the list, also while it is loaded. */
  notice?: ReactNode
}

/** A list of posts, or in its place that it is loading, that it failed, or that it is empty. */
export function Posts({ notice, ...rest }: PostsProps) {
  const { list, rows, first, next } = usePostList(rest.list)
  const prompt = rest.me && !rest.ofOneAuthor && <Prompt me={rest.me} />
  const end = <ListEnd next={next} hasNext={list?.next != null} />
  return (
    <div className="posts">
      {list && <NewPostsPill list={list} onPress={() => showWaiting(rest.list)} />}
      {notice}
      {rows ? (
        <Rows {...rest} rows={rows} prompt={prompt} end={end} />
      ) : (
        <NotThere query={first} prompt={prompt} />
      )}
    </div>
  )
}

type Query = ReturnType<typeof usePostList>['next']

function NotThere({ query, prompt }: { query: Query; prompt: ReactNode }) {
  if (!query.isError) return <PostSkeleton count={3} above={prompt} />
  return <NotLoaded error={query.error} pending={query.isFetching} onRetry={() => query.refetch()} />
}

/** Posts that are drawn at once. Three fill a phone's screen. */
const STEP = 3
/** Is false after a reload and after going back, because the reader may have been far down the list. */
let isFirstPaint = !(history.state as { at?: string } | null)?.at

/** Draws the rows of the first paint a few at a time, so that the browser can react to input between them. */
function useGradualRows(rows: Post[]) {
  const [drawn, setDrawn] = useState(() => (isFirstPaint ? 0 : rows.length))
  const most = drawn + STEP
  useEffect(() => {
    isFirstPaint = false
    if (drawn < rows.length) startTransition(() => setDrawn(Math.min(most, rows.length)))
  }, [drawn, most, rows.length])
  return rows.length > most ? rows.slice(0, most) : rows
}

type RowsProps = Omit<PostsProps, 'notice'> & { rows: Post[]; prompt: ReactNode; end: ReactNode }

function Rows({ list, ofOneAuthor, me, rows: all, prompt, empty, end }: RowsProps) {
  const t = useText(postsText)
  const rows = useGradualRows(all)
  const seen = useSeenLine(ofOneAuthor ? null : list, me?.id ?? 0, rows)
  usePostShortcuts()
  if (!rows.length) return empty
  const card = (post: Post) => (
    <PostCard key={post.id} post={post} member={me !== null} first={post === rows[0]} />
  )
  return (
    <>
      <div className="boards flush">
        {prompt}
        {(seen ? rows.slice(0, seen) : rows).map(card)}
      </div>
      {seen > 0 && (
        <>
          <p className="divider seen-line">{t.seen}</p>
          <div className="boards flush">{rows.slice(seen).map(card)}</div>
        </>
      )}
      {rows === all && end}
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

function NewPostsPill({ list, onPress }: { list: PostList; onPress: () => void }) {
  const t = useText(postsText)
  const waiting = list.waiting.length
  const words = waiting ? t.newPosts(waiting, list.gap !== null) : ''
  const pressed = useRef(false)
  const press = () => {
    pressed.current = true
    onPress()
  }
  // The pill had the focus and is gone now: the first post takes it.
  useLayoutEffect(() => {
    if (!pressed.current || waiting) return
    pressed.current = false
    window.scrollTo(0, 0)
    document.querySelector<HTMLElement>('article[data-post]')?.focus({ preventScroll: true })
  }, [waiting])
  return (
    <div className="pill-place">
      <p className="hide" role="status">
        {words}
      </p>
      {waiting > 0 && (
        <button type="button" className="pill" onClick={press}>
          <Icon of={ArrowUp} size="s" />
          {words}
        </button>
      )}
    </div>
  )
}

/** Loads the next page long before the reader reaches the end, and shows how that goes. */
function ListEnd({ next, hasNext }: { next: Query; hasNext: boolean }) {
  const t = useText(postsText)
  const explain = useExplain()
  const ref = useRef<HTMLDivElement>(null)
  const { isFetching, isError, error } = next
  const load = () => next.refetch({ cancelRefetch: false })
  const onNear = useEffectEvent(() => void load())
  const loadsByItself = hasNext && !isFetching && !isError
  useEffect(() => {
    if (!loadsByItself) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onNear(), {
      rootMargin: '1500px',
    })
    observer.observe(ref.current!)
    return () => observer.disconnect()
  }, [loadsByItself])

  if (isFetching) return <PostSkeleton count={2} />
  if (isError)
    return (
      <div className="list-end">
        <Notice kind="bad">{explain(error)}</Notice>
        <Button icon={RotateCw} onClick={load}>
          {t.retry}
        </Button>
      </div>
    )
  return (
    <div className="list-end" ref={ref}>
      {hasNext ? <Button onClick={load}>{t.loadMore}</Button> : <p className="meta">{t.noMore}</p>}
    </div>
  )
}

/** The newest post seen before this visit, by list: the line stays until the page is loaded again. */
const seenBefore = new Map<string, number>()

/** The index of the post below “You have seen what follows”; 0 where there is none. */
function useSeenLine(list: string | null, account: number, rows: readonly Post[]): number {
  const key = `engawa:seen:${account}:${list}`
  if (list && !seenBefore.has(key)) seenBefore.set(key, Number(readLocal(key)))
  const newest = rows[0]?.id ?? 0
  useEffect(() => {
    if (list && newest > Number(readLocal(key))) writeLocal(key, String(newest))
  }, [list, key, newest])

  const seen = seenBefore.get(key)
  const index = seen ? rows.findIndex((post) => post.id <= seen) : 0
  // Below the reader's own new posts alone, a line would say nothing.
  return rows.slice(0, Math.max(0, index)).some(({ user }) => user.id !== account) ? index : 0
}
