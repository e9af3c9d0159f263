import './posts.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { fetchPage } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage, LogInPrompt } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { findAnswer } from '#web/page-data.ts'
import { Sidebar } from '#web/Sidebar.tsx'
import { useStore } from '#web/store.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { PostSkeletons } from '#web/ui/LoadingText.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { bookmarkEndpoints, type Post } from '../contract.ts'
import { LazyShortcuts } from './LazyShortcuts.tsx'
import { PostCard } from './PostCard.tsx'
import { bookmarksText } from './pages-text.ts'
import { bookmarksKey, usePostEvents, useRefetchMissed } from './post-queries.ts'
import * as store from './post-store.ts'

export default function BookmarksPage() {
  const t = useText(bookmarksText)
  const me = useMe()
  return (
    <PageLayout sidebar={me && <Sidebar />}>
      <PageHeader title={t.title} sub={t.subtitle} />
      {me ? <Bookmarks key={me.id} /> : <LogInPrompt />}
    </PageLayout>
  )
}

/** `posts` are as in the post store, without those that were deleted or whose bookmark was removed. */
function useBookmarks() {
  const postsById = useStore(store.state, ({ posts }) => posts)
  const first = findAnswer(bookmarkEndpoints.list)
  const query = useInfiniteQuery({
    queryKey: bookmarksKey,
    // Only the ids: the content of the posts is in the post store already.
    initialData: () =>
      first && {
        pages: [{ ids: (first.body as Post[]).map(({ id }) => id), next: first.next, epoch: 0 }],
        pageParams: [null],
      },
    queryFn: ({ pageParam }) =>
      store.load(async () => {
        const { epoch } = store.state.get()
        const { rows, next } = await fetchPage(bookmarkEndpoints.list, {}, pageParam)
        store.put(rows, epoch)
        return { ids: rows.map(({ id }) => id), next, epoch }
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    staleTime: first ? 30_000 : 0,
  })
  const pages = query.data?.pages
  const posts = useMemo(
    () =>
      pages
        ?.flatMap(({ ids }) => ids.flatMap((id) => postsById.get(id) ?? []))
        .filter(({ bookmarked_by_me }) => bookmarked_by_me),
    [pages, postsById],
  )
  usePostEvents(pages !== undefined)
  useRefetchMissed(pages?.[0]?.epoch, query.refetch)
  return { ...query, posts }
}

function Bookmarks() {
  const t = useText(bookmarksText)
  const { posts, error, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useBookmarks()
  if (!posts)
    return error ? (
      <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
    ) : (
      <PostSkeletons count={3} />
    )
  if (!posts.length && !hasNextPage)
    return (
      <EmptyState title={t.empty} help={t.emptyHelp}>
        <ButtonLink kind="primary" href="/">
          {t.allPosts}
        </ButtonLink>
      </EmptyState>
    )
  return (
    <div className="posts">
      <LazyShortcuts />
      <div className="cards flush">
        {posts.map((post) => (
          <PostCard key={post.id} post={post} isMember isAboveFold={post === posts[0]} />
        ))}
      </div>
      <div className="list-end">
        {hasNextPage ? (
          <Button pending={isFetchingNextPage} onClick={() => fetchNextPage()}>
            {t.loadMore}
          </Button>
        ) : (
          <p className="text-meta">{t.noMore}</p>
        )}
      </div>
    </div>
  )
}
