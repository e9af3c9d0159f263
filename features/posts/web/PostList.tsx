import './posts.css'
import { ArrowUp, Image, RotateCw } from 'lucide-react'
import {
  type ReactNode,
  startTransition,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Me } from '#features/people/contract.ts'
import { useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { readLocal, writeLocal } from '#web/local-storage.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Link } from '#web/ui/Link.tsx'
import { PostSkeletons } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import type { Post } from '../contract.ts'
import { LazyShortcuts } from './LazyShortcuts.tsx'
import { PostCard } from './PostCard.tsx'
import { usePostList } from './post-queries.ts'
import type { PostListState } from './post-store.ts'
import * as store from './post-store.ts'
import { postsText } from './text.ts'

/** The link to the form for a new post. */
interface NewPostPrompt {
  path: string
  text: string
}

interface Props {
  path: string
  ofOneAuthor?: boolean
  me: Me | null
  /** Rendered if the list contains no posts. */
  empty: ReactNode
  /** Above the list, also while it is loading. */
  notice?: ReactNode
  /** Default: a link to the form without a tag. */
  newPost?: NewPostPrompt
  /** Shown above the other posts, and not a second time further down. */
  pinned?: readonly Post[] | undefined
}

const noPosts: readonly Post[] = []

export function PostList({ notice, newPost, pinned = noPosts, ...rest }: Props) {
  const { list, rows: all, firstPage, nextPage } = usePostList(rest.path)
  const rows = useMemo(
    () => (pinned.length ? all?.filter(({ id }) => pinned.every((post) => post.id !== id)) : all),
    [all, pinned],
  )
  const prompt = (
    <>
      {rest.me && !rest.ofOneAuthor && <NewPostLink me={rest.me} {...newPost} />}
      {pinned.map((post) => (
        <PostCard key={post.id} post={post} isMember={rest.me !== null} isAboveFold={post === pinned[0]} />
      ))}
    </>
  )
  const end = <ListEnd query={nextPage} hasNext={list?.nextUrl != null} />
  return (
    <div className="posts" data-with-action={rest.ofOneAuthor ? undefined : ''}>
      {list && <NewPostsPill list={list} onPress={() => store.showWaiting(rest.path)} />}
      {notice}
      {rows ? (
        <PostRows {...rest} rows={rows} hasPinned={pinned.length > 0} prompt={prompt} end={end} />
      ) : (
        <PostsPlaceholder query={firstPage} prompt={prompt} />
      )}
    </div>
  )
}

type Query = ReturnType<typeof usePostList>['nextPage']

function PostsPlaceholder({ query, prompt }: { query: Query; prompt: ReactNode }) {
  if (!query.isError) return <PostSkeletons count={3} above={prompt} />
  return <LoadErrorMessage error={query.error} pending={query.isFetching} onRetry={() => query.refetch()} />
}

/** Three posts fill the screen of a phone. */
const ROWS_PER_STEP = 3
/** False after a reload and after going back, because the reader may have been far down the list. */
let isFirstPaint = !(history.state as { at?: string } | null)?.at

/** Grows in the first paint, so that the browser can react to input between the steps. */
function useGradualRows(rows: Post[]) {
  const [count, setCount] = useState(() => (isFirstPaint ? 0 : rows.length))
  const max = count + ROWS_PER_STEP
  useEffect(() => {
    isFirstPaint = false
    if (count < rows.length) startTransition(() => setCount(Math.min(max, rows.length)))
  }, [count, max, rows.length])
  return rows.length > max ? rows.slice(0, max) : rows
}

type PostRowsProps = Omit<Props, 'notice' | 'newPost' | 'pinned'> & {
  rows: Post[]
  hasPinned: boolean
  prompt: ReactNode
  end: ReactNode
}

function PostRows({ path, ofOneAuthor, me, rows: all, hasPinned, prompt, empty, end }: PostRowsProps) {
  const t = useText(postsText)
  const rows = useGradualRows(all)
  const seen = useSeenIndex(ofOneAuthor ? null : path, me?.id ?? 0, rows)
  if (!rows.length && !hasPinned) return empty
  const card = (post: Post) => (
    <PostCard key={post.id} post={post} isMember={me !== null} isAboveFold={!hasPinned && post === rows[0]} />
  )
  return (
    <>
      <LazyShortcuts />
      <div className="cards flush">
        {prompt}
        {(seen ? rows.slice(0, seen) : rows).map(card)}
      </div>
      {seen > 0 && (
        <>
          <p className="divider seen-divider">{t.seen}</p>
          <div className="cards flush">{rows.slice(seen).map(card)}</div>
        </>
      )}
      {rows === all && end}
    </>
  )
}

function NewPostLink({ me, path = '/post', text }: { me: Me } & Partial<NewPostPrompt>) {
  const { prompt } = useText(postsText)
  return (
    <Link className="new-post-link" href={path}>
      <Avatar person={me} size="s" />
      <span>{text ?? prompt}</span>
      <Icon icon={Image} />
    </Link>
  )
}

function NewPostsPill({ list, onPress }: { list: PostListState; onPress: () => void }) {
  const t = useText(postsText)
  const waiting = list.waiting.length
  const label = waiting ? t.newPosts(waiting, list.gapUrl !== null) : ''
  const isPressed = useRef(false)
  const press = () => {
    isPressed.current = true
    onPress()
  }
  // The button for new posts, which had the focus, has disappeared.
  useLayoutEffect(() => {
    if (!isPressed.current || waiting) return
    isPressed.current = false
    window.scrollTo(0, 0)
    document.querySelector<HTMLElement>('article[data-post]')?.focus({ preventScroll: true })
  }, [waiting])
  return (
    <div className="pill-anchor">
      <p className="visually-hidden" role="status">
        {label}
      </p>
      {waiting > 0 && (
        <button type="button" className="pill" onClick={press}>
          <Icon icon={ArrowUp} size="s" />
          {label}
        </button>
      )}
    </div>
  )
}

/** Loads the next page long before the reader reaches the end. */
function ListEnd({ query, hasNext }: { query: Query; hasNext: boolean }) {
  const t = useText(postsText)
  const explain = useErrorText()
  const ref = useRef<HTMLDivElement>(null)
  const { isFetching, isError, error } = query
  const load = () => query.refetch({ cancelRefetch: false })
  const onNear = useEffectEvent(() => void load())
  const isAutoLoading = hasNext && !isFetching && !isError
  useEffect(() => {
    if (!isAutoLoading) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onNear(), {
      rootMargin: '1500px',
    })
    observer.observe(ref.current!)
    return () => observer.disconnect()
  }, [isAutoLoading])

  if (isFetching) return <PostSkeletons count={2} />
  if (isError)
    return (
      <div className="list-end">
        <Notice kind="error">{explain(error)}</Notice>
        <Button icon={RotateCw} onClick={load}>
          {t.retry}
        </Button>
      </div>
    )
  return (
    <div className="list-end" ref={ref}>
      {hasNext ? <Button onClick={load}>{t.loadMore}</Button> : <p className="text-meta">{t.noMore}</p>}
    </div>
  )
}

/** The newest post seen before this visit, by account and list. A divider stays above it until a reload. */
const seenBefore = new Map<string, number>()

/** 0 if the list needs no divider. */
function useSeenIndex(path: string | null, account: number, rows: readonly Post[]): number {
  const key = `engawa:seen:${account}:${path}`
  if (path && !seenBefore.has(key)) seenBefore.set(key, Number(readLocal(key)))
  const newest = rows[0]?.id ?? 0
  useEffect(() => {
    if (path && newest > Number(readLocal(key))) writeLocal(key, String(newest))
  }, [path, key, newest])

  const seen = seenBefore.get(key)
  const index = seen ? rows.findIndex((post) => post.id <= seen) : 0
  // No divider if the reader wrote all newer posts.
  return rows.slice(0, Math.max(0, index)).some(({ user }) => user.id !== account) ? index : 0
}
