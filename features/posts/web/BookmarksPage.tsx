import './posts.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { fetchListPage } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage, LogInPromptBox } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { findInitialEndpointResponse } from '#web/page-data.ts'
import { MemberSidebarOrVisitorWelcome } from '#web/Sidebar.tsx'
import { useStore } from '#web/store.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { PostListSkeleton } from '#web/ui/LoadingText.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { bookmarkEndpoints } from '../bookmark-contract.ts'
import type { Post } from '../contract.ts'
import { bookmarksText } from './bookmarks-text.ts'
import { LazyPostShortcuts } from './LazyPostShortcuts.tsx'
import { PostCard } from './PostCard.tsx'
import {
  bookmarksQueryKey,
  useRefetchAfterMissedPostEvents,
  useSubscribePostStoreToLiveEvents,
} from './post-queries.ts'
import { loadPosts, postStore, storeFetchedPosts } from './post-store.ts'

/** Renders the page with the bookmarked posts of the reader, the newest bookmark first. */
export default function BookmarksPage() {
  const t = useText(bookmarksText)
  const me = useMe()
  return (
    <PageLayout sidebar={me && <MemberSidebarOrVisitorWelcome />}>
      <PageHeader title={t.title} sub={t.subtitle} />
      {me ? <Bookmarks key={me.id} /> : <LogInPromptBox />}
    </PageLayout>
  )
}

/**
 * Returns the query for the reader's bookmarks, and as `posts` the bookmarked posts as they are in the post
 * store. Leaves out posts that were deleted and posts whose bookmark was removed.
 */
function useBookmarks() {
  const postsById = useStore(postStore, ({ posts }) => posts)
  const first = findInitialEndpointResponse(bookmarkEndpoints.list)
  const query = useInfiniteQuery({
    queryKey: bookmarksQueryKey,
    // Needs only the ids of the bookmarked posts in the HTML page, because their content is in the post store
    // already.
    initialData: () =>
      first && {
        pages: [{ ids: (first.body as Post[]).map(({ id }) => id), next: first.next, epoch: 0 }],
        pageParams: [null],
      },
    queryFn: ({ pageParam }) =>
      loadPosts(async () => {
        const { epoch } = postStore.get()
        const { rows, next } = await fetchListPage(bookmarkEndpoints.list, {}, pageParam)
        storeFetchedPosts(rows, epoch)
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
  useSubscribePostStoreToLiveEvents(pages !== undefined)
  useRefetchAfterMissedPostEvents(pages?.[0]?.epoch, query.refetch)
  return { ...query, posts }
}

function Bookmarks() {
  const t = useText(bookmarksText)
  const { posts, error, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useBookmarks()
  if (!posts)
    return error ? (
      <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
    ) : (
      <PostListSkeleton count={3} />
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
      <LazyPostShortcuts />
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
